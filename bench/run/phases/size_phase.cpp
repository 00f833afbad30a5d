#include "bench/run/phases/size_phase.hpp"

#include <algorithm>
#include <iterator>

#include "bench/measure/filling.hpp"
#include "bench/plan/estimate.hpp"
#include "bench/plan/passes.hpp"
#include "bench/plan/problem_data.hpp"

namespace gpuseq::bench {

using results::Record;

SizePhase::SizePhase(const RunInputs& inputs, std::span<const State> probes, Recorder& recorder)
    : inputs_(inputs), probes_(probes), recorder_(recorder) {}

double SizePhase::seconds_for(std::span<const State> sized, std::span<const State> kernels_so_far) const {
  if (inputs_.budget.end_s == kNoBudget) return kNoBudget;
  std::vector<State> kernels(sized.begin(), sized.end());
  kernels.insert(kernels.end(), kernels_so_far.begin(), kernels_so_far.end());
  std::vector<State> probes =
      needed_within_budget(kernels, probes_, inputs_.config, inputs_.registry, inputs_.invocation.devices)
          .states;
  probes.insert(probes.end(), probes_.begin(), probes_.end());
  const double probes_s =
      std::min(inputs_.budget.probes_s,
               estimated_s(in_passes(probes, inputs_.config, inputs_.flags.repetitions), inputs_.config));
  // A sweep's estimate has its winners in it.
  return inputs_.budget.end_s - probes_s - recorder_.spending().spent_before("size") -
         estimated_s(kernels_so_far, inputs_.config);
}

SizeStep SizePhase::grow(const SizedStates& problem, const SizeLimits& limits) {
  SizeStep step = next_size_step(problem, recorder_.journal().size_records(), limits, inputs_.config);
  for (; !step.states.empty();
       step = next_size_step(problem, recorder_.journal().size_records(), limits, inputs_.config)) {
    recorder_.announce(step.states);
    if (recorder_.run(step.states, "sizes of " + problem_key(problem.front().key))) continue;
    step.states.clear();
    for (auto& [device, own] : step.found) {
      if (own.ended_by.empty()) own.ended_by = kTheBudget;
      step.sweep_s.try_emplace(own.size, 0);
    }
    break;
  }
  return step;
}

std::vector<State> SizePhase::at_sizes(const SizedStates& problem, const SizeStep& found) const {
  return found.found.empty() ? at_first_size({&problem, 1})
                             : sweep_at_sizes(problem, found.found, recorder_.journal().size_records());
}

void SizePhase::find(const std::vector<SizedStates>& sized, std::vector<State>& kernels) {
  if (sized.empty()) return;
  recorder_.set_deadline(kNoBudget);  // each problem has its limit
  SizeLimits limits{.devices = inputs_.invocation.devices,
                    .host_bytes = inputs_.invocation.host_free_bytes / recorder_.workers(),
                    .data_bytes = data_bytes(inputs_.config)};
  const auto seconds = [&](std::span<const SizeStep> found) {
    if (recorder_.is_over()) return 0.0;  // planning the needed probes takes time, too
    std::vector<State> at_found;
    for (std::size_t i = 0; i < sized.size(); ++i)
      std::ranges::move(at_sizes(sized[i], found[i]), std::back_inserter(at_found));
    return seconds_for(at_found, kernels);
  };
  const std::vector<SizeStep> found = sizes_within(sized.size(), seconds, [&](std::size_t i, double limit_s) {
    if (limit_s != kNoBudget) limits.seconds = limit_s;
    return grow(sized[i], limits);
  });
  for (std::size_t i = 0; i < sized.size(); ++i) {
    std::vector<State> states = at_sizes(sized[i], found[i]);
    for (const State& state : states) {
      AtSize& at = found_[problem_key(state.key)];
      at.sweep_s = found[i].sweep_s.at(state.key.problem.integer(state.growth->axis));
      at.ended_by[state.key.device] = found[i].found.at(state.key.device).ended_by;
    }
    recorder_.announce(states);
    std::ranges::move(states, std::back_inserter(kernels));
  }
}

std::optional<double> SizePhase::sweep_s(const std::string& problem) const {
  const auto found = found_.find(problem);
  return found == found_.end() ? std::nullopt : std::optional(found->second.sweep_s);
}

void SizePhase::set_filling(Record& record) const {
  std::string ended_by;
  if (const auto found = found_.find(problem_key(record.state)); found != found_.end())
    if (const auto own = found->second.ended_by.find(record.state.device);
        own != found->second.ended_by.end())
      ended_by = own->second;
  record.fills_device =
      filling_of(record, recorder_.journal().size_records(),
                 recorder_.measurer().describe(record.state.device), ended_by == kNoFaster ? "" : ended_by);
  if (record.fills_device && record.fills_device->fills == false)
    record.notes.push_back("the problem does not fill the device: " + record.fills_device->reason);
}

}  // namespace gpuseq::bench
