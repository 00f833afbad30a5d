#include "bench/run/invocation.hpp"

namespace gpuseq::bench {

BenchmarkFlags flags_of(const Invocation& invocation) {
  std::vector<std::string> arguments = invocation.benchmark_flags;
  return take_benchmark_flags(arguments);
}

Sweep invoked_sweep(const SuiteConfig& config, const Invocation& invocation, const Registry& registry) {
  const BenchmarkFlags flags = flags_of(invocation);
  Sweep sweep = plan(config, registry, invocation.devices);
  sweep.probes = filtered(std::move(sweep.probes), flags);
  sweep.kernels = invocation.probes_only ? std::vector<State>{} : filtered(std::move(sweep.kernels), flags);
  return in_shard(std::move(sweep), invocation.shard, config);
}

}  // namespace gpuseq::bench
