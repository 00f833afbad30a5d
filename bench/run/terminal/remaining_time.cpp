#include "bench/run/terminal/remaining_time.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gpuseq::bench {

std::string pace_of(const results::StateKey& state, const std::string& kind) {
  return fmt::format("{} on {}", kind == "probe" ? "probes" : state.family, state.device);
}

void RemainingTime::plan(const std::string& pace, long states, double typical_s) {
  Pace& known = paces_[pace];
  known.planned += states;
  if (states > 0) known.typical_s = typical_s;
}

void RemainingTime::finished(const std::string& pace, double seconds) {
  Pace& known = paces_[pace];
  ++known.done;
  known.seconds += seconds;
}

double RemainingTime::left_s(const std::string& in_flight, double elapsed_s, double budget_s) const {
  double left = 0;
  for (const auto& [name, pace] : paces_) {
    const double own = static_cast<double>(std::max(0L, pace.planned - pace.done)) * pace.mean_s();
    const double gone = name == in_flight ? std::min(elapsed_s, pace.mean_s()) : 0;
    left += std::max(0.0, own - gone);
  }
  return std::clamp(left, 0.0, std::max(0.0, budget_s));
}

}  // namespace gpuseq::bench
