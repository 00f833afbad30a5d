#include "bench/run/phases/turns.hpp"

#include <algorithm>
#include <limits>

namespace gpuseq::bench {

Turns::Turns(std::span<const State> states) {
  for (const State& state : states) {
    OfVariant& variant = of(state.key);
    variant.is_tool = state.kind == "tool";
    variant.left.push_back(&state);
  }
}

Turns::OfVariant& Turns::of(const results::StateKey& key) {
  const auto found = std::ranges::find_if(
      variants_, [&](const OfVariant& one) { return one.name == key.variant && one.device == key.device; });
  if (found != variants_.end()) return *found;
  return variants_.emplace_back(OfVariant{.name = key.variant, .device = key.device});
}

const State* Turns::next() {
  return next_on("");
}

const State* Turns::next_on(const std::string& device) {
  for (const bool tools : {false, true}) {
    const auto untried = std::ranges::find_if(variants_, [&](const OfVariant& one) {
      return one.is_tool == tools && !one.is_tried && !one.left.empty() &&
             (device.empty() || one.device == device);
    });
    OfVariant* const turn = untried != variants_.end() ? &*untried : most_behind(tools, device);
    if (turn == nullptr) continue;
    const State* const state = turn->left.front();
    turn->left.pop_front();
    turn->is_tried = true;
    return state;
  }
  return nullptr;
}

void Turns::add(const results::Record& record) {
  OfVariant& variant = of(record.state);
  variant.spent_s += record.took_s;
  if (record.status == results::Status::ok && record.statistics)
    variant.rate = std::max(variant.rate, record.statistics->rate);
}

Turns::OfVariant* Turns::most_behind(bool tools, const std::string& on) {
  constexpr double kLeastShare = 0.01;  // also of a variant that failed at its first point
  const auto best_rate = [this](const std::string& device) {
    double best = 0;
    for (const OfVariant& one : variants_)
      if (one.device == device && !one.is_tool) best = std::max(best, one.rate);
    return best;
  };
  OfVariant* behind = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (OfVariant& one : variants_) {
    if (one.is_tool != tools || one.left.empty() || (!on.empty() && one.device != on)) continue;
    const double best = best_rate(one.device), share = best > 0 ? std::max(one.rate / best, kLeastShare) : 1;
    if (const double spent = one.spent_s / share; behind == nullptr || spent < least) {
      behind = &one;
      least = spent;
    }
  }
  return behind;
}

}  // namespace gpuseq::bench
