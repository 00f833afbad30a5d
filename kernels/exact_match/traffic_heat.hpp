#pragma once

#include <vector>

#include "kernels/exact_match/data/tree.cuh"
#include "kernels/exact_match/traffic_classes.hpp"

namespace gpuseq::exact_match {

/// Places of an array in cells of similar access frequency, and the blocks read in each cell.
struct HotCells {
  std::vector<double> places, blocks;
  explicit HotCells(u32 cells) : places(cells), blocks(cells) {}
  /// Appends the memory of each cell. @param scale  of the blocks, from the counted queries to a launch
  void append_to(std::vector<EvenMemory>& memories, double place_bytes, double scale) const;
};

/// Nodes near the root and nodes that many places of the reference pass are hot: a cell has the nodes of one
/// depth (255: or more) and one number of leaves, rounded to a power of two.
class HotNodes {
 public:
  explicit HotNodes(const TreeView& tree);
  void read_node(u32 node) { ++nodes.blocks[cell_of(node)]; }
  void read_range(u32 node) { ++ranges.blocks[cell_of(node)]; }

  HotCells nodes, ranges;

 private:
  u32 cell_of(u32 node) const;
  const TreeView tree_;
};

/// Entries of a k-mer table are hot if their k-mers are frequent in the reference: a cell has the blocks with
/// one number of its places, rounded to a power of two.
class HotWords {
 public:
  /// @param letters  of a k-mer in the numbering of WordTables, first letter lowest; 0: no table
  HotWords(const TreeView& tree, u32 letters, u32 entry_bits, u32 block_bytes);
  void read(u32 word) { ++blocks.blocks[cell_of_[block_of(word)]]; }

  HotCells blocks;

 private:
  u64 block_of(u32 word) const { return u64{word} * entry_bits_ / block_bits_; }
  const u32 entry_bits_, block_bits_;
  std::vector<u8> cell_of_;  // by block
};

/// Leaves below the nodes of at least `depth` letters: those that listing can reach.
u64 leaves_below(const TreeView& tree, u32 depth);

}  // namespace gpuseq::exact_match
