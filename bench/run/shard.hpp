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
/// differ by about one indivisible piece: a kernel's state, or a probe's curve, which one node measures
/// whole. Neighbouring kernels stay together, because they share their problem and its index.
Sweep in_shard(Sweep sweep, const Shard& shard, const SuiteConfig& config);

}  // namespace gpuseq::bench
