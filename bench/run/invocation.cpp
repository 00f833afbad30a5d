#include "bench/run/invocation.hpp"

#include <algorithm>
#include <iterator>

#include "bench/plan/needed_probes.hpp"

namespace gpuseq::bench {

BenchmarkFlags flags_of(const Invocation& invocation) {
  std::vector<std::string> arguments = invocation.benchmark_flags;
  return take_benchmark_flags(arguments);
}

Sweep invoked_sweep(const SuiteConfig& config, const Invocation& invocation, const Registry& registry) {
  const BenchmarkFlags flags = flags_of(invocation);
  Sweep sweep = plan(config, registry, invocation.devices);
  sweep.probes = filtered(std::move(sweep.probes), flags);
  sweep.kernels = filtered(std::move(sweep.kernels), flags);
  sweep = in_shard(std::move(sweep), invocation.shard, config);
  NeededProbes needed = needed_probes(sweep.kernels, sweep.probes, config, registry, invocation.devices);
  sweep.needed = std::move(needed.states);
  std::ranges::move(needed.remarks, std::back_inserter(sweep.remarks));
  if (invocation.probes_only) sweep.kernels.clear();
  return sweep;
}

}  // namespace gpuseq::bench
