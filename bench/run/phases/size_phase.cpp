#include "bench/run/phases/size_phase.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include "bench/measure/filling.hpp"
#include "bench/plan/data_bytes.hpp"
#include "bench/plan/estimate.hpp"
#include "bench/plan/passes.hpp"

namespace gpuseq::bench {

using results::Record;

SizePhase::SizePhase(const RunInputs& inputs, std::span<const State> probes, Recorder& recorder)
    : inputs_(inputs), probes_(probes), recorder_(recorder) {}

double SizePhase::seconds_for(std::span<const State> sized, std::span<const State> kernels_so_far) const {
  if (inputs_.budget.end_s == kNoBudget) return kNoBudget;
  const std::span<const DeviceInfo> devices = inputs_.invocation.devices;
  double needed_s =
      std::min(inputs_.budget.needed_s, inputs_.config.probe_budget_s * static_cast<double>(devices.size()));
  if (!sized.empty()) {
    std::vector<State> kernels(sized.begin(), sized.end());
    kernels.insert(kernels.end(), kernels_so_far.begin(), kernels_so_far.end());
    const std::vector<State> needed =
        needed_within_budget(kernels, probes_, inputs_.config, inputs_.registry, devices).states;
    needed_s = std::min(
        needed_s, estimated_s(in_passes(needed, inputs_.config, inputs_.flags.repetitions), inputs_.config));
  }
  // A sweep's estimate has its winners in it.
  return inputs_.budget.end_s - needed_s - recorder_.spending().spent_before("size") -
         estimated_s(kernels_so_far, inputs_.config);
}

SizeStep SizePhase::grow(const SizedStates& problem, const SizeLimits& limits) {
  SizeStep step = next_size_step(problem, recorder_.journal().size_records(), limits, inputs_.config);
  for (; !step.states.empty();
       step = next_size_step(problem, recorder_.journal().size_records(), limits, inputs_.config)) {
    recorder_.announce(step.states);
    recorder_.run(step.states);
  }
  return step;
}

void SizePhase::find(const std::vector<SizedStates>& sized, std::vector<State>& kernels) {
  recorder_.set_deadline(kNoBudget);  // each problem has its limit
  SizeLimits limits{.devices = inputs_.invocation.devices,
                    .host_bytes = inputs_.invocation.host_free_bytes,
                    .data_bytes = data_bytes(inputs_.config)};
  double all_s = seconds_for({}, kernels);
  std::vector<SizeStep> found(sized.size());
  const auto seconds_of = [](const SizeStep& step) { return step.spent_s + step.sweep_s; };
  const auto states_at = [&](std::size_t i) {
    return sweep_at_size(sized[i], found[i].size, recorder_.journal().size_records());
  };
  // Later rounds give the rest of unused shares to problems that the budget stopped, first to the one whose
  // rate changed most in its last step: equal parts of the rest may be too small for the next step of any.
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::size_t> grown;
    for (std::size_t i = 0; i < sized.size(); ++i)
      if (round == 0 || found[i].ended_by == kTheBudget) grown.push_back(i);
    if (round > 0) {
      if (all_s == kNoBudget) break;
      std::vector<State> at_found;
      for (std::size_t i = 0; i < sized.size(); ++i)
        std::ranges::move(states_at(i), std::back_inserter(at_found));
      all_s = seconds_for(at_found, kernels);
      std::ranges::stable_sort(grown, std::greater<>(), [&](std::size_t i) { return found[i].last_change; });
    }
    for (std::size_t n = 0; n < grown.size(); ++n) {
      SizeStep& own = found[grown[n]];
      if (all_s != kNoBudget) {
        double left_s = all_s;
        for (const SizeStep& other : found)
          if (&other != &own) left_s -= seconds_of(other);
        const double had_s = seconds_of(own);  // none in the first round
        limits.seconds = had_s + share_end_s(0, left_s - had_s, round == 0 ? grown.size() - n : 1);
      }
      own = grow(sized[grown[n]], limits);
    }
  }
  for (std::size_t i = 0; i < sized.size(); ++i) {
    std::vector<State> states = states_at(i);
    found_[problem_key(states.front().key)] = found[i];
    recorder_.announce(states);
    std::ranges::move(states, std::back_inserter(kernels));
  }
}

std::optional<double> SizePhase::sweep_s(const std::string& problem) const {
  const auto found = found_.find(problem);
  return found == found_.end() ? std::nullopt : std::optional(found->second.sweep_s);
}

void SizePhase::set_filling(Record& record) const {
  const auto found = found_.find(problem_key(record.state));
  record.fills_device = filling_of(
      record, recorder_.journal().size_records(), recorder_.measurer().describe(record.state.device),
      found == found_.end() || found->second.ended_by == kNoFaster ? "" : found->second.ended_by);
  if (record.fills_device && record.fills_device->fills == false)
    record.notes.push_back("the problem does not fill the device: " + record.fills_device->reason);
}

}  // namespace gpuseq::bench
