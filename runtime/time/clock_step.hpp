#pragma once

#include <functional>
#include <stdexcept>

namespace gpuseq {

/// Seconds on a clock since an arbitrary moment.
using ClockSeconds = std::function<double()>;

/// Seconds on the host's steady clock.
double steady_seconds();

/// A clock is unsuitable for timing: it does not move, goes back, or moves in steps that are too long.
class ClockError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The step of a clock, in seconds: the median of a few. Takes as long as these steps.
/// @throws ClockError if the clock does not move forward
double clock_step_s(const ClockSeconds& now_s = steady_seconds);

/// Least number of steps per measured time, so that the step is a small part of it.
inline constexpr double kStepsPerTime = 20;

/// The least time that a clock with this step can measure; 0 for typical clocks, whose steps are far shorter
/// than any measured time.
double least_time_s(double step_s);

}  // namespace gpuseq
