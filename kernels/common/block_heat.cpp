#include "kernels/common/block_heat.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace gpuseq {
namespace {

constexpr double kLeastOutside = 1.0 / 16;  // least share of a layer's blocks outside a tested cache
constexpr double kDeviations = 3;           // deviations added to the misses, because sampling
                                            // underestimates them
constexpr double kEven = 0.99;
constexpr std::array kOctavesBelow{0.0, 0.25, 0.75, 2.0};

/// A cache: its number of blocks, and an upper bound of its missed visits.
struct Held {
  double blocks = 0, missed = 0;
};

struct Census {
  double blocks = 0, visits = 0;
  std::vector<Held> held;  // in order of decreasing blocks
};

/// Estimated number of blocks, including unvisited ones (Chao 1984).
double all_blocks(const std::map<u32, u64>& blocks_of, double seen) {
  const auto of = [&](u32 visits) {
    const auto found = blocks_of.find(visits);
    return found == blocks_of.end() ? 0.0 : static_cast<double>(found->second);
  };
  return of(2) == 0 ? seen : seen + of(1) * of(1) / (2 * of(2));
}

Census census_of(std::span<const u32> visits) {
  std::map<u32, u64> blocks_of;  // number of blocks by number of visits
  for (const u32 times : visits)
    if (times > 0) ++blocks_of[times];
  Census census;
  for (const auto& [times, count] : blocks_of) {
    census.blocks += static_cast<double>(count);
    census.visits += static_cast<double>(count) * times;
  }
  double held = census.blocks, missed = 0, variance = 0;
  census.blocks = all_blocks(blocks_of, census.blocks);
  const double mean = census.visits / census.blocks;
  for (const auto& [times, count] : blocks_of) {
    // The cache holds the blocks with at least `times` visits. A visit to a block with exactly as many counts
    // as missed: without that visit the block would rank lower.
    const auto blocks = static_cast<double>(count);
    missed += blocks * times;
    const double chance = variance + blocks * times * times;
    census.held.push_back({held, missed + kDeviations * std::sqrt(chance)});
    held -= blocks;
    variance += blocks * (times - mean) * (times - mean);
  }
  return census;
}

/// The largest share of all visits that no cache serves better than visits spread evenly
/// over `blocks` blocks.
double share_over(const Census& census, double blocks) {
  double least = census.visits;
  for (const Held& cache : census.held) {
    const double outside = 1 - cache.blocks / blocks;
    if (outside < kLeastOutside) continue;
    least = std::min(least, cache.missed / outside);
  }
  return least / census.visits;
}

}  // namespace

std::vector<HeatLayer> heat_layers(std::span<const u32> visits) {
  const Census census = census_of(visits);
  if (census.visits == 0) return {};
  if (share_over(census, census.blocks) >= kEven) return {{census.blocks, 1}};
  std::vector<HeatLayer> layers;
  double so_far = 0;
  for (const double octaves : kOctavesBelow) {
    const double blocks = census.blocks * std::exp2(-octaves), share = share_over(census, blocks);
    if (share <= so_far) continue;
    layers.push_back({blocks, share - so_far});
    so_far = share;
  }
  if (so_far < 1) layers.push_back({1, 1 - so_far});
  std::ranges::reverse(layers);
  return layers;
}

}  // namespace gpuseq
