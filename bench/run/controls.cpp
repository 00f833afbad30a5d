#include "bench/run/controls.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "bench/config/units.hpp"
#include "bench/run/invocation.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;

/// GPUs of one model differ by so much in a case whose own interval is a tenth of it: of 28 cases that two
/// committed runs of H200s share, three quarters are within 1 %.
constexpr double kOfOneModel = 0.02;

/// The control cases of a shard that have a rate, by their state.
std::map<std::string, const Record*> measured_controls(const MergeInput& input, const ShardPlan& plan) {
  std::map<std::string, const Record*> measured;
  for (const Record& record : input.records) {
    const bool first = record.repetition == 0 && (record.phase == "probe" || record.phase == "sweep");
    if (const std::string state = record.state.to_string();
        first && record.statistics && plan.controls.contains(state))
      measured.emplace(state, &record);
  }
  return measured;
}

bool overlap(const results::Statistics& a, const results::Statistics& b) {
  const auto low = [](const results::Statistics& one) { return one.rate_low.value_or(one.rate); };
  const auto high = [](const results::Statistics& one) { return one.rate_high.value_or(one.rate); };
  return low(a) <= (1 + kOfOneModel) * high(b) && low(b) <= (1 + kOfOneModel) * high(a);
}

std::string rate_text(const Record& record) {
  return prefixed(record.statistics->rate) + record.statistics->rate_unit;
}

}  // namespace

ShardPlan shard_plan(const MergeInput& input, const Registry& registry) {
  const Sweep sweep = invoked_sweep(input.run.config, input.run.invocation, registry);
  ShardPlan plan;
  for (const State& control : sweep.controls) plan.controls.insert(control.key.to_string());
  for (const auto* states : {&sweep.probes, &sweep.kernels})
    for (const State& state : *states) plan.own.insert(state.key.to_string());
  return plan;
}

void check_controls(std::span<const MergeInput> inputs, std::span<const ShardPlan> plans) {
  std::map<std::string, std::pair<const MergeInput*, const Record*>> firsts;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string here = inputs[i].folder.dir.string();
    const auto measured = measured_controls(inputs[i], plans[i]);
    for (const std::string& name : plans[i].controls) {
      const auto found = measured.find(name);
      if (found == measured.end())
        throw UsageError(fmt::format("{}: the control case {} has no rate", here, name));
      const auto& [input, first] = firsts.try_emplace(name, &inputs[i], found->second).first->second;
      if (overlap(*first->statistics, *found->second->statistics)) continue;
      throw UsageError(fmt::format(
          "the control case {} reaches {} in {} and {} in {}; allowed: intervals that overlap or are at most "
          "{:g} % apart. The machines of these shards differ: measure one of them again",
          name, rate_text(*first), input->folder.dir.string(), rate_text(*found->second), here,
          100 * kOfOneModel));
    }
  }
}

}  // namespace gpuseq::bench
