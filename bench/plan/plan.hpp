#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/config/registry.hpp"
#include "bench/plan/needed_probes.hpp"
#include "bench/plan/selected_space.hpp"
#include "bench/plan/state.hpp"

namespace gpuseq::bench {

/// The kernels of a problem whose size the run finds: of all its devices, with "auto" for that size.
using SizedStates = std::vector<State>;

/// That finding the size of a problem and measuring at it may take, where a run has no budget.
inline constexpr double kSecondsOfASize = 60;

struct Sweep {
  std::vector<State> probes;   // phase "probe"
  std::vector<State> kernels;  // phase "sweep"; grouped by problem, then by the axes that variants share
  std::vector<SizedStates>
      sized;            // phase "size"; each ordered as `kernels`, with their place there once it is found
  NeededProbes needed;  // phase "probe": probes that the bounds of `kernels` need besides `probes`
  std::vector<std::string> remarks;  // the parts that were left out and why
  /// Variants of a search that have more points than a plan makes; `kernels` and `sized` have a sample of
  /// them.
  SelectedSpaces sampled = {};
  std::vector<State> controls = {};  // of a shard: cases that all shards measure, each before all others
  std::set<std::string> divided =
      {};  // of a shard: problems (problem_key()) that other shards have a part of
};

/// States of a sweep's kernels and sized problems; of sampled variants the combinations of values.
double state_count(const Sweep& sweep);

/// Which states a config asks for on these devices, without those that bounds need. Pure. @throws
/// UsageError naming the JSON pointer of an unknown family, probe, variant or axis (with the alternatives),
/// of a value that is not allowed, or of an entry with more than kMostStates states. In a search ("tune"
/// with "evaluations") a large variant has a sample of its points, drawn by the config's seed
Sweep plan(const SuiteConfig& config, const Registry& registry, std::span<const DeviceInfo> devices);

/// Family and problem of a key: the data that its states load.
std::string problem_key(const results::StateKey& key);

/// The footprint that a key has among its axes.
std::optional<std::int64_t> footprint_of(const results::StateKey& key);

/// The states of one probe at other footprints than planned: those of `like` with footprint_bytes replaced.
std::vector<State> at_footprints(const State& like, std::span<const double> footprints);

/// The config asks for more footprints where levels end.
bool wants_refinement(const SuiteConfig& config, const std::string& probe);

}  // namespace gpuseq::bench
