#include "kernels/exact_match/traffic.hpp"

#include <algorithm>

#include "kernels/exact_match/counting_memory.hpp"
#include "kernels/exact_match/cuda/match_kernel.cuh"
#include "kernels/exact_match/data/enumerate.hpp"
#include "kernels/exact_match/data/strands.hpp"
#include "kernels/exact_match/problem.hpp"

namespace gpuseq::exact_match {
namespace {

/// The memories of the counted heat. @param scale  of the blocks, from the counted queries to a launch
std::vector<EvenMemory> memories_of(const TreeView& tree, const Heat& heat, u32 min_length, double scale) {
  const double letters = tree.text_letters;
  std::vector<EvenMemory> memories{
      {letters, heat.text * scale},
      {letters * sizeof(u32), heat.parents * scale},
      {letters, heat.depths * scale},
      {static_cast<double>(leaves_below(tree, min_length)) * sizeof(u32), heat.leaves * scale}};
  heat.nodes.nodes.append_to(memories, sizeof(TreeNode), scale);
  heat.nodes.ranges.append_to(memories, sizeof(LeafRange), scale);
  heat.prefixes.blocks.append_to(memories, kBlockBytes, scale);
  heat.filter.blocks.append_to(memories, kBlockBytes, scale);
  return memories;
}

AccessCounts count(const TreePart& part, const TreeView& tree, const Search& search, const Queries& queries,
                   const SearchWay& way, u32 most, Heat& heat) {
  const u64 sample = std::min<u64>(most, queries.count());
  const u32 strands = search.strands();
  AccessCounts counts;
  const MatchArguments arguments = arguments_of(part, search);
  PaddedStrand buffer(queries.longest);
  for (u64 i = 0; i < sample * strands; ++i) {
    const u64 query = queries.count() * (i / strands) / sample;
    const u64 length = queries.length(query);
    counts.bases += static_cast<double>(length);
    const u32 end = static_cast<u32>(slots_of(length, search.min_length));
    const u8* const letters = buffer.take(queries.codes(query), i % strands == 1);
    CountingMemory memory(tree, way, search.min_length, counts, &heat);
    if (way.listed) {
      MatchOutput output(arguments, memory, letters, nullptr, 0);
      Traversal(memory, output, letters, search.min_length).run(0, end);
    } else {
      NoOutput output;
      Traversal(memory, output, letters, search.min_length).run(0, end);
    }
  }
  return counts;
}

}  // namespace

u64 footprint(const TreeSize& tree, const SearchWay& way, u32 min_length) {
  const u64 about_leaves = way.leaf_nodes ? 0 : 1 + sizeof(u32);  // bytes per letter
  u64 bytes = tree.nodes * sizeof(TreeNode) + tree.letters * (1 + about_leaves);
  if (way.listed) bytes += tree.nodes * sizeof(LeafRange) + tree.leaves * sizeof(u32);
  if (way.prefix_letters > 0) bytes += sizeof(Slot) << (2 * way.prefix_letters);
  if (way.filter_letters > 0) bytes += (u64{1} << (2 * std::min(way.filter_letters, min_length))) / 8;
  return bytes;
}

SearchedTree::SearchedTree(const SuffixTree& tree, const SearchWay& way) : tree_(tree) {
  if (way.leaf_nodes) all_ = leaf_nodes_of(tree);
}

std::string access_of(const SearchWay& way) {
  return way.one_at_a_time ? "dependent" : "independent";
}

AccessCounts count_accesses(const TreePart& part, const Search& search, const Queries& queries,
                            const SearchWay& way, u32 most) {
  const SearchedTree tree(*part.tree, way);
  Heat heat(tree.view(), way, search.min_length);
  return count(part, tree.view(), search, queries, way, most, heat);
}

Traffic count_traffic(std::span<const TreePart> parts, const Search& search, const Queries& queries,
                      const SearchWay& way, u32 most) {
  const double bases = static_cast<double>(queries.bases()) * search.strands();
  Traffic traffic{.blocks = 0, .block_bytes = kBlockBytes, .footprint_bytes = 0, .access = access_of(way)};
  for (const TreePart& part : parts) {
    const SearchedTree searched(*part.tree, way);
    const TreeView tree = searched.view();
    Heat heat(tree, way, search.min_length);
    const AccessCounts counts = count(part, tree, search, queries, way, most, heat);
    traffic.footprint_bytes = std::max<std::size_t>(
        traffic.footprint_bytes,
        footprint({tree.node_count, tree.text_letters, tree.leaf_count}, way, search.min_length));
    if (!(counts.bases > 0)) continue;
    const double scale = bases / counts.bases;
    traffic.blocks += counts.blocks * scale;
    traffic.classes =
        joined(traffic.classes, classes_of(memories_of(tree, heat, search.min_length, scale), kBlockBytes));
  }
  return traffic;
}

Instructions instructions_of(const Traffic& traffic) {
  return {.operations = {{kLoad, traffic.blocks}}};
}

}  // namespace gpuseq::exact_match
