#include "kernels/exact_match/data/texture_layout.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace gpuseq::exact_match {
namespace {

HalfNode half_of(const TreeNode& node, Half half) {
  static_assert(sizeof(TreeNode) == 2 * sizeof(HalfNode) && offsetof(TreeNode, child) == sizeof(HalfNode));
  HalfNode result;
  const auto* bytes = reinterpret_cast<const std::byte*>(&node);
  std::memcpy(&result, bytes + (half == Half::node ? 0 : sizeof(HalfNode)), sizeof result);
  return result;
}

}  // namespace

HugeArray<u8> text_in_2d(std::span<const u8> text, ThreadPool& pool) {
  constexpr u64 kLettersOfFourRows = u64{4} * kTextColumns;
  HugeArray<u8> order(text_rows(text.size()) * kTextColumns);
  pool.parallel_for(order.size() / kLettersOfFourRows, 1, [&](std::size_t begin, std::size_t end) {
    for (u64 position = begin * kLettersOfFourRows; position < end * kLettersOfFourRows; ++position) {
      const Texel at = text_texel(static_cast<u32>(position));
      order[u64{at.y} * kTextColumns + at.x] = position < text.size() ? text[position] : kSeparator;
    }
  });
  return order;
}

void halve_nodes(std::span<const TreeNode> nodes, Half half, u64 first, std::span<HalfNode> to) {
  for (u64 i = 0; i < to.size(); ++i)
    to[i] = first + i < nodes.size() ? half_of(nodes[first + i], half) : HalfNode{};
}

void band_of_nodes(std::span<const TreeNode> nodes, Half half, u64 band, std::span<HalfNode> to) {
  std::fill(to.begin(), to.end(), HalfNode{});
  const u64 first = band * kNodesOfABand;
  for (u64 node = first; node < std::min<u64>(first + kNodesOfABand, nodes.size()); ++node) {
    const Texel at = node_texel(static_cast<u32>(node));
    to[(at.y - band * kBlockSide) * kNodeTexelsAcross + at.x] = half_of(nodes[node], half);
  }
}

}  // namespace gpuseq::exact_match
