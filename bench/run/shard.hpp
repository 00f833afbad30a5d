#pragma once

#include <string_view>
#include <vector>

#include "bench/plan/plan.hpp"

namespace gpuseq::bench {

/// One of `count` parts of a sweep; `index` counts from 1.
struct Shard {
  int index = 1;
  int count = 1;
  bool whole() const { return count == 1; }
  friend bool operator==(const Shard&, const Shard&) = default;
};

inline constexpr int kMostShards = 1'000'000;

/// "3/8". @throws UsageError for anything but 1 <= index <= count <= kMostShards
Shard parse_shard(std::string_view text);

/// The states of one shard. Every state is in exactly one shard of a count, and the expected costs of shards
/// differ by about one indivisible piece: the kernels of a problem, or a probe's curve. A problem that costs
/// more than a shard's share is divided; of all others one shard has all candidates, and measures the
/// winners. Sweep::controls has the states of config.controls of the whole plan. @throws UsageError for a
/// malformed pattern
Sweep in_shard(Sweep sweep, const Shard& shard, const SuiteConfig& config);

}  // namespace gpuseq::bench
