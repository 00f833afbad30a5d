#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/config/registry.hpp"
#include "bench/plan/state.hpp"

namespace gpuseq::bench {

/// The probe points that bounds need and a config does not list.
struct NeededProbes {
  std::vector<State> states;
  std::vector<State> beyond;         // those that the budget does not reach; a profile may have them
  std::vector<std::string> remarks;  // which bounds the budget leaves out, or makes from fewer points
};

/// Asks every kernel for its memory and operations (Variant::needs) and takes probes that show their speed:
///   - random accesses by independent accesses of its block sizes, as many threads and a curve of octaves up
/// to its footprint (on the CPU with prefetching and, in its caches, without), if they wait for each
///     other also by the latency of such a curve,
///   - operations by themselves and by pairs, on a GPU with those that fill the issue slots,
///   - on a GPU an empty launch.
/// The config's budget of each device is spent first on the probes that bounds cannot do without.
/// @param listed  probes that are measured anyway
/// @param registry  must outlive the states
NeededProbes needed_probes(std::span<const State> kernels, std::span<const State> listed,
                           const SuiteConfig& config, const Registry& registry,
                           std::span<const DeviceInfo> devices);

}  // namespace gpuseq::bench
