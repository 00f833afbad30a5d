#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "results/record.hpp"

/// Rates over the size of a problem, measured in phase "size" to find a size that fills the devices.
namespace gpuseq::results {

/// The fastest record at a size.
struct SizePoint {
  std::int64_t size = 0;
  double work = 0, seconds = 0, rate = 0;  // per launch
  const Record* record = nullptr;
};

/// The curve of one device; sizes ascend.
struct SizeCurve {
  std::string device;
  std::vector<SizePoint> points;
};

/// A problem with its curves.
struct SizedProblem {
  std::string family, axis, noun, rate_unit;
  Point fixed;  // the problem without that axis
  std::vector<SizeCurve> curves;
};

/// A record and the device whose curve it belongs to.
using OnDevice = std::pair<const Record*, std::string>;

bool of_cpu(const SizeCurve& curve);

/// The curves of a GPU and of the CPU, for each GPU of a problem.
struct Rivals {
  const SizeCurve *gpu = nullptr, *cpu = nullptr;
};
std::vector<Rivals> rivals(const SizedProblem& problem);

Point without_axis(const Point& problem, const std::string& axis);
Point without_size(const Record& record);

/// The curves of the ok records of phase "size"; problems and devices are ordered by their first records.
/// Pointers are to the records.
std::vector<SizedProblem> sized_problems(std::span<const OnDevice> records);
/// The curves of one run, whose devices are distinguished by their ids.
std::vector<SizedProblem> sized_problems(std::span<const Record> records);

/// A rate is settled if it changes by less than this share from one size to the next.
inline constexpr double kSettled = 0.05;

/// Relative change of the rate at the last step; nullopt for fewer than two sizes.
std::optional<double> last_change(const SizeCurve& curve);

/// Whether a larger problem would not change the rate: the last step, to at least twice the work, changed the
/// rate by less than kSettled, or the last two steps raised it by at most that above the previous best.
/// Launches below 5 ms on a CPU and 1 ms on a GPU do not count: they may be mostly start-up, and run in
/// caches.
bool is_settled(const SizeCurve& curve);

/// Whether a problem of this size is large enough for the curve's device, with the reason. It is too small
/// only if a larger size is faster beyond the noise, or if the rate still rises so at the last step.
Filling filling_at(const SizeCurve& curve, std::int64_t size, const std::string& noun);

/// Hockney's law, rate = most n / (n + n_half) for launches of work n, fitted to a curve. The overhead of a
/// launch is n_half / most seconds.
struct HalfSize {
  double rate = 0;           // limit for large problems
  double work = 0;           // n_half
  double size = 0;           // n_half as a size; if `below`, at most the first size
  double low = 0, high = 0;  // measured sizes around the size that reaches half of `rate`
  bool below = false;        // the first size already has more than half of the rate
};

/// @returns the reason if there are fewer than three sizes, or if the rate still rises and is less than two
/// thirds of the fitted one
Maybe<HalfSize> half_size(const SizeCurve& curve);

/// The size above which one device is faster than another.
struct Crossing {
  std::string below, above;  // the faster device on each side
  double size = 0;
  std::int64_t low = 0, high = 0;  // the measured sizes around it
};

/// The size from which `rising` stays faster than `other`, among the sizes of both and those behind the end
/// of a settled curve. nullopt if there is no such size, or if `rising` is faster from the first size on.
std::optional<Crossing> crossing(const SizeCurve& rising, const SizeCurve& other);

}  // namespace gpuseq::results
