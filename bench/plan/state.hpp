#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "bench/config/config.hpp"
#include "results/record.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq {
struct Growth;
}

namespace gpuseq::bench {

/// One planned run. `family` and `variant` point into the registry that the plan was made with,
/// or into `owner`, which keeps them alive: a family with the config's tools, made for this plan.
struct State {
  results::StateKey key;
  std::string kind;   // "probe", "kernel" or "tool"
  std::string phase;  // "probe", "refine", "size", "sweep", "tune", "winner"
  int repetition = 0;
  const Family* family = nullptr;
  const Variant* variant = nullptr;
  std::shared_ptr<const Family> owner = {};
  double most_seconds = 0;         // of its samples, if that is less than the config's limit; 0: the config's
  const Growth* growth = nullptr;  // of a problem whose size the run finds
};

/// The config's sampling as a state has it. Passes over the points of probes share its limits: each takes
/// fewer samples, for less time.
SamplingOptions sampling_of(const State& state, const SamplingOptions& of_config);

/// The properties of a device that a plan needs.
struct DeviceInfo {
  std::string id;
  DeviceKind kind = DeviceKind::cpu;
  std::size_t free_bytes = 0;
  std::size_t l2_bytes = 0;  // stated, of a GPU; 0: of a CPU, or not known
  friend bool operator==(const DeviceInfo&, const DeviceInfo&) = default;
};

}  // namespace gpuseq::bench
