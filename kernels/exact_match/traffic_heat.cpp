#include "kernels/exact_match/traffic_heat.hpp"

#include <algorithm>
#include <bit>

namespace gpuseq::exact_match {
namespace {

constexpr u32 kMostDepth = 255;
constexpr u32 kPowers = 33;  // powers of two up to 2^31, and zero

}  // namespace

void HotCells::append_to(std::vector<EvenMemory>& memories, double place_bytes, double scale) const {
  for (std::size_t cell = 0; cell < places.size(); ++cell)
    memories.push_back({places[cell] * place_bytes, blocks[cell] * scale});
}

HotNodes::HotNodes(const TreeView& tree)
    : nodes((kMostDepth + 1) * kPowers), ranges((kMostDepth + 1) * kPowers), tree_(tree) {
  for (u32 node = 0; node < tree.node_count; ++node) ++nodes.places[cell_of(node)];
  ranges.places = nodes.places;
}

u32 HotNodes::cell_of(u32 node) const {
  return std::min(tree_.nodes[node].depth, kMostDepth) * kPowers +
         static_cast<u32>(std::bit_width(tree_.ranges[node].count));
}

HotWords::HotWords(const TreeView& tree, u32 letters, u32 entry_bits, u32 block_bytes)
    : blocks(kPowers), entry_bits_(entry_bits), block_bits_(8 * block_bytes) {
  if (letters == 0) return;
  const u64 words = u64{1} << (2 * letters);
  std::vector<u32> frequency(block_of(static_cast<u32>(words - 1)) + 1);
  u32 word = 0, known = 0;  // letters since the last separator
  for (u32 i = 0; i < tree.text_letters; ++i) {
    known = tree.text[i] < 4 ? known + 1 : 0;
    word = word >> 2 | u32{tree.text[i]} % 4 << (2 * letters - 2);
    if (known >= letters) ++frequency[block_of(word)];
  }
  cell_of_.resize(frequency.size());
  for (std::size_t i = 0; i < frequency.size(); ++i) {
    cell_of_[i] = static_cast<u8>(std::bit_width(frequency[i]));
    ++blocks.places[cell_of_[i]];
  }
}

u64 leaves_below(const TreeView& tree, u32 depth) {
  const u32 least = std::min(depth, 255u);  // leaf_depth saturates at 255
  return static_cast<u64>(std::count_if(tree.leaf_depth, tree.leaf_depth + tree.text_letters,
                                        [&](u8 parent) { return parent >= least; }));
}

}  // namespace gpuseq::exact_match
