#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "probes/footprints.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// A probe's results over footprint, everything else fixed.
struct Curve {
  std::string probe, device, variant;
  Point fixed;  // problem and tuning axes but footprint_bytes
  struct At {
    double footprint_bytes = 0;
    std::string state;           // key of the point's state
    std::vector<double> values;  // one per sample of the passes that agree, in `unit`
    std::vector<double> levels;  // the medians of these passes
    double median = 0;           // of `levels`
  };
  std::vector<At> points;     // ascending footprint
  std::vector<At> disturbed;  // those that no two passes agree on, with the values of all passes
  std::string unit;           // "bytes/s"; "ns" (per access) for a latency
};

/// Value of the `threads` axis, all_threads for 0; a point without one runs on one thread.
std::int64_t threads_of(const Point& point, int all_threads);

/// What the states of a probe's curve have in common: their key without the footprint.
std::string curve_id(const results::StateKey& key);

/// The curves of the ok probe records, of both phases "probe" and "refine". Values are rates, except for the
/// latency probe, where they are nanoseconds an access. Several records of a point of a CPU are passes: its
/// level is what they agree on (agreement.hpp). A curve may have disturbed points only.
std::vector<Curve> curves_of(std::span<const results::Record> records);

/// Whether a curve is random accesses at one footprint of a device that has longer curves: a point at which
/// something else was looked at, such as how many accesses are in flight.
bool stands_aside(const Curve& curve, std::span<const Curve> curves);

/// The curve in the form that levels are found in.
std::vector<probes::CurvePoint> points_of(const Curve& curve);

/// The value at x on the straight line between two points, (x, y) each, where both axes are logarithmic.
double log_log(double x, std::pair<double, double> below, std::pair<double, double> above);

/// Value of a curve at a footprint: log-log interpolation between its points, clamped at the ends.
double value_at(const Curve& curve, double footprint_bytes);

/// What a curve of rates shows can be reached at a footprint: the value of its points' best passes there, or
/// at a larger footprint where that is more. Noisy neighbours on a shared machine make passes slower, none
/// makes them faster, and what is reached over more bytes can be reached over fewer. Between two points whose
/// rates differ by more than twice what their footprints do it is that of the nearer one, as nobody knows
/// where the edge is.
double reached_at(const Curve& curve, double footprint_bytes);

}  // namespace gpuseq::bench
