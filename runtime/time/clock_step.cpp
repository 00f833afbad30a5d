#include "runtime/time/clock_step.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

namespace gpuseq {
namespace {

/// Waits until the clock moves forward. @returns the step
double next_move_s(const ClockSeconds& now_s) {
  constexpr int kReads = 100'000, kSleeps = 1000;  // milliseconds of reading, then a second of waiting
  double last = now_s();
  for (int i = 0; i < kReads + kSleeps; ++i) {
    if (i >= kReads) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const double now = now_s();
    if (now > last) return now - last;
    last = now;
  }
  throw ClockError("the host's clock does not move forward");
}

}  // namespace

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double clock_step_s(const ClockSeconds& now_s) {
  std::array<double, 5> moves;
  std::ranges::generate(moves, [&] { return next_move_s(now_s); });
  std::ranges::nth_element(moves, moves.begin() + moves.size() / 2);
  return moves[moves.size() / 2];
}

double least_time_s(double step_s) {
  constexpr double kUsualStepS = 2e-6;
  return step_s > kUsualStepS ? kStepsPerTime * step_s : 0;
}

}  // namespace gpuseq
