#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "results/record.hpp"

/// Rates over the size of a problem: what a run measures to find a size that fills its devices (phase
/// "size").
namespace gpuseq::results {

/// The fastest that was measured at a size.
struct SizePoint {
  std::int64_t size = 0;
  double work = 0, seconds = 0, rate = 0;  // of a launch
  const Record* record = nullptr;
};

/// Of one device; sizes ascend.
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

/// A record and the device that it is a curve's of.
using OnDevice = std::pair<const Record*, std::string>;

/// Whether a curve is of a CPU.
bool of_cpu(const SizeCurve& curve);

/// A GPU's curve and the CPU's, of each GPU of a problem.
struct Rivals {
  const SizeCurve *gpu = nullptr, *cpu = nullptr;
};
std::vector<Rivals> rivals(const SizedProblem& problem);

/// The problem without its size.
Point without_axis(const Point& problem, const std::string& axis);
Point without_size(const Record& record);

/// The curves of the ok records of phase "size", problems and devices in the order of their first ones.
/// Pointers are to what the records point to.
std::vector<SizedProblem> sized_problems(std::span<const OnDevice> records);
/// The same of one run, whose devices are known by their ids.
std::vector<SizedProblem> sized_problems(std::span<const Record> records);

/// A rate that changes by less than this from one size to the next changes no more.
inline constexpr double kSettled = 0.05;

/// By how much the rate changed at the last step, in shares of the rate before; nullopt of fewer than two
/// sizes.
std::optional<double> last_change(const SizeCurve& curve);

/// Whether a larger problem would change nothing: the last step, to twice the work or more, changed the rate
/// by less than kSettled, or the last two raised it by no more than that above the best before. Launches of
/// less than 5 ms on a CPU, 1 ms on a GPU, show too little: so much may be start-up, and all of it in caches.
bool is_settled(const SizeCurve& curve);

/// Whether a problem of this size is large enough for the curve's device, and by what that is judged. It is
/// too small only where a larger size is faster beyond the noise, or the rate still rises so at the last
/// step.
Filling filling_at(const SizeCurve& curve, std::int64_t size, const std::string& noun);

/// Hockney's law, rate = most n / (n + n_half) over the work n of a launch, fitted to a curve: what a launch
/// takes beside its work is n_half / most seconds.
struct HalfSize {
  double rate = 0;           // of ever larger problems
  double work = 0;           // n_half
  double size = 0;           // the same as a size; at most the first one, where `below`
  double low = 0, high = 0;  // the measured sizes that half of `rate` is reached between
  bool below = false;        // the first size has more than half of the rate already
};

/// @returns the reason where there are fewer than three sizes, or the rate still rises and is less than two
/// thirds of the fitted one
Maybe<HalfSize> half_size(const SizeCurve& curve);

/// The size above which one device is faster than another.
struct Crossing {
  std::string below, above;  // the faster device on each side
  double size = 0;
  std::int64_t low = 0, high = 0;  // the measured sizes that it lies between
};

/// Where `rising` overtakes `other` for good; of the sizes that both have, and those behind the last of a
/// settled curve, whose rate stays. nullopt: it never does, or does from the first size on.
std::optional<Crossing> crossing(const SizeCurve& rising, const SizeCurve& other);

}  // namespace gpuseq::results
