#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "probes/footprints.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// A probe's results over the footprint, with all else fixed.
struct Curve {
  std::string probe, device, variant;
  Point fixed;  // problem and tuning axes without footprint_bytes
  struct At {
    double footprint_bytes = 0;
    std::string state;           // key of the point's state
    std::vector<double> values;  // one per sample of the passes that agree, in `unit`
    std::vector<double> levels;  // the medians of these passes
    double median = 0;           // of `levels`
  };
  std::vector<At> points;     // ascending footprint
  std::vector<At> disturbed;  // points without two passes that agree, with the values of all passes
  std::string unit;           // "bytes/s"; "ns" (per access) for a latency
};

/// Value of the `threads` axis, all_threads for 0; 1 for a point without this axis.
std::int64_t threads_of(const Point& point, int all_threads);

/// The common part of the keys of a curve's states: the key without the footprint.
std::string curve_id(const results::StateKey& key);

/// The curves of the ok probe records of phases "probe" and "refine". Values are rates, or nanoseconds per
/// access for the latency probe. Several records of a CPU's point are passes: its level is the one they agree
/// on (agreement.hpp). A curve may have disturbed points only.
std::vector<Curve> curves_of(std::span<const results::Record> records);

/// Whether a curve is random accesses at a single footprint, while the device has longer curves: then the
/// point varied another parameter, such as the accesses in flight.
bool stands_aside(const Curve& curve, std::span<const Curve> curves);

/// The curve as input of the level fit.
std::vector<probes::CurvePoint> points_of(const Curve& curve);

/// The value at x on the straight line through two points (x, y) with logarithmic axes.
double log_log(double x, std::pair<double, double> below, std::pair<double, double> above);

/// Value of a curve at a footprint: log-log interpolation between its points, clamped at the ends.
double value_at(const Curve& curve, double footprint_bytes);

/// The rate that a curve shows to be reachable at a footprint: the best passes at this footprint or at a
/// larger one, if that is more. Noisy neighbours only slow passes down, and a rate reached over more bytes
/// can be reached over fewer. Between two points whose rates differ by more than twice the ratio of their
/// footprints, it is the rate of the nearer one, as the position of the edge is unknown.
double reached_at(const Curve& curve, double footprint_bytes);

}  // namespace gpuseq::bench
