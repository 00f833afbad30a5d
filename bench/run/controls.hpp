#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "bench/run/merge.hpp"

namespace gpuseq::bench {

/// The plan of a shard: the states that no other has, and the controls that all have.
struct ShardPlan {
  std::set<std::string> own, controls;  // StateKey::to_string()
};
ShardPlan shard_plan(const MergeInput& input, const Registry& registry);

/// Compares the shards' rates of the control cases.
/// @param plans  of the inputs
/// @throws UsageError for a control that a shard has no rate of, or whose intervals do not overlap, with both
/// rates
void check_controls(std::span<const MergeInput> inputs, std::span<const ShardPlan> plans);

}  // namespace gpuseq::bench
