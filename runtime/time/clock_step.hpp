#pragma once

#include <functional>
#include <stdexcept>

namespace gpuseq {

/// Seconds on a clock since any moment.
using ClockSeconds = std::function<double()>;

/// Seconds on the host's steady clock.
double steady_seconds();

/// A clock cannot time something: it stands still, goes back, or moves in steps that are too long.
class ClockError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The step in which a clock moves, in seconds: the median of a few. Takes as long as those.
/// @throws ClockError for one that does not move forward
double clock_step_s(const ClockSeconds& now_s = steady_seconds);

/// A time must be that many steps long, so that the step is a small part of it.
inline constexpr double kStepsPerTime = 20;

/// The least time that a clock of such a step can time; 0 for the usual clocks, whose steps are far shorter
/// than anything that is timed.
double least_time_s(double step_s);

}  // namespace gpuseq
