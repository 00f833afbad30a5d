#include "bench/run/invocation.hpp"

#include <algorithm>
#include <iterator>

#include "bench/plan/budget.hpp"
#include "bench/size/sizes.hpp"

namespace gpuseq::bench {

BenchmarkFlags flags_of(const Invocation& invocation) {
  std::vector<std::string> arguments = invocation.benchmark_flags;
  return take_benchmark_flags(arguments);
}

NeededProbes needed_within_budget(std::span<const State> kernels, std::span<const State> listed,
                                  const SuiteConfig& config, const Registry& registry,
                                  std::span<const DeviceInfo> devices) {
  SuiteConfig within = config;
  const double all_s = parts_of(budget_s(config, devices)).needed_s;
  within.probe_budget_s =
      std::min(config.probe_budget_s, all_s / static_cast<double>(std::max<std::size_t>(devices.size(), 1)));
  return needed_probes(kernels, listed, within, registry, devices);
}

Sweep invoked_sweep(const SuiteConfig& config, const Invocation& invocation, const Registry& registry) {
  const BenchmarkFlags flags = flags_of(invocation);
  Sweep sweep = plan(config, registry, invocation.devices);
  sweep.probes = filtered(std::move(sweep.probes), flags);
  sweep.kernels = filtered(std::move(sweep.kernels), flags);
  for (SizedStates& states : sweep.sized) states = filtered(std::move(states), flags);
  std::erase_if(sweep.sized, [](const SizedStates& states) { return states.empty(); });
  sweep = in_shard(std::move(sweep), invocation.shard, config);
  std::vector<State> with_sized = at_first_size(sweep.sized);
  if (!with_sized.empty()) with_sized.insert(with_sized.end(), sweep.kernels.begin(), sweep.kernels.end());
  NeededProbes needed = needed_within_budget(with_sized.empty() ? sweep.kernels : with_sized, sweep.probes,
                                             config, registry, invocation.devices);
  sweep.needed = std::move(needed.states);
  std::ranges::move(needed.remarks, std::back_inserter(sweep.remarks));
  if (invocation.probes_only) {
    sweep.kernels.clear();
    sweep.sized.clear();
  }
  return sweep;
}

}  // namespace gpuseq::bench
