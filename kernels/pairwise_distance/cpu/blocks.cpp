#include "kernels/pairwise_distance/cpu/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/contract/unsupported.hpp"

namespace gpuseq::pairwise_distance {

double pairs_of(u64 count, bool half) {
  const auto n = static_cast<double>(count);
  return half ? n * (n + 1) / 2 : n * n;
}

u64 block_count(u64 count, u64 block, bool half) {
  const u64 side = (count + block - 1) / block;
  return half ? side * (side + 1) / 2 : side * side;
}

std::vector<BlockPlace> blocks_of(u64 count, u64 block, bool half) {
  std::vector<BlockPlace> blocks;
  for (u64 row = 0; row < count; row += block)
    for (u64 column = half ? row : 0; column < count; column += block)
      blocks.push_back({.row = row,
                        .rows = std::min(block, count - row),
                        .column = column,
                        .columns = std::min(block, count - column),
                        .upper = half && row == column});
  return blocks;
}

u64 usual_block(u64 count, int threads) {
  constexpr u64 kLargest = 128, kBlocksPerThread = 8;
  u64 block = kLargest;
  if (threads == 1) return block;
  const u64 wanted = kBlocksPerThread * static_cast<u64>(threads);
  while (block > kInstancePadding && block_count(count, block, true) < wanted) block /= 2;
  return block;
}

TileShape parse_tile(const std::string& name) {
  const auto cross = name.find('x');
  if (cross == std::string::npos) return {};
  return {static_cast<u32>(std::stoul(name.substr(0, cross))),
          static_cast<u32>(std::stoul(name.substr(cross + 1)))};
}

std::string tile_name(TileShape shape) {
  return fmt::format("{}x{}", shape.rows, shape.columns);
}

void require_compiled(bool compiled, TileShape tile) {
  if (!compiled) throw NotCompiled("tile=" + tile_name(tile));
}

}  // namespace gpuseq::pairwise_distance
