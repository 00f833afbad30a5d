#pragma once

#include <string>
#include <vector>

#include "kernels/exact_match/cuda/match_kernel.cuh"
#include "kernels/exact_match/cuda/policy.hpp"
#include "kernels/exact_match/data/leaf_nodes.hpp"
#include "kernels/exact_match/data/strands.hpp"
#include "kernels/exact_match/data/texture_layout.hpp"
#include "kernels/exact_match/data/word_tables.hpp"
#include "kernels/exact_match/found_matches.hpp"

// Kernels compiled for the host, and launches of them: threads one after the other.

namespace gpuseq::exact_match::testing {

struct HostKernel {
  MatchPolicy policy;
  void (*thread)(const MatchArguments&, const ThreadPlace&);
};

/// @tparam paper  leaves are nodes, where matches are not listed, ends compared and reverse complements
/// computed
template <MemoryPath memory, bool text_2d, bool words, bool listed, u32 lanes, bool paper = false>
struct HostTuned {
  static constexpr MatchPolicy value{memory, text_2d, words, listed, paper && !listed,
                                     paper,  paper,   lanes, 32};
};

template <MemoryPath memory, bool text_2d, bool words, bool listed>
void add_kernels(std::vector<HostKernel>& kernels) {
  const auto add = [&]<class Tuned>(Tuned) { kernels.push_back({Tuned::value, &match_thread<Tuned>}); };
  add(HostTuned<memory, text_2d, words, listed, 1>{});
  add(HostTuned<memory, text_2d, words, listed, 4>{});
  if constexpr (!words) add(HostTuned<memory, text_2d, words, listed, 4, true>{});
  if constexpr (words) {
    add(HostTuned<memory, text_2d, words, listed, 32>{});
    add(HostTuned<memory, text_2d, words, listed, 256>{});  // more than many strands have positions
  }
}

/// Every memory with each order of the text that it has, with and without tables of words where these are,
/// and without them as the paper has leaves and reverse complements.
template <bool listed>
inline std::vector<HostKernel> host_kernels() {
  std::vector<HostKernel> kernels;
  add_kernels<MemoryPath::global, false, false, listed>(kernels);
  add_kernels<MemoryPath::global, true, false, listed>(kernels);
  add_kernels<MemoryPath::texture_linear, false, false, listed>(kernels);
  add_kernels<MemoryPath::texture_linear, true, false, listed>(kernels);
  add_kernels<MemoryPath::texture_2d, true, false, listed>(kernels);
  add_kernels<MemoryPath::global, false, true, listed>(kernels);
  return kernels;
}

/// A tree in every form that kernels read.
class HostTree {
 public:
  HostTree(const SuffixTree& tree, ThreadPool& pool)
      : tree_(tree),
        all_(with_leaf_nodes(tree)),
        text_2d_(text_in_2d({tree.text.data(), tree.text.size()}, pool)),
        inner_nodes_(tree),
        all_nodes_(all_.tree) {
    all_.tree.leaf_depth = {};  // kernels have nothing about leaves
    all_.tree.leaves = {};
    all_.tree.ranges = {};
  }

  /// Arrays that are not of the policy's memory are null.
  void set(MatchArguments& arguments, const MatchPolicy& policy) const {
    arguments.tree = policy.leaf_nodes ? all_.tree.view() : tree_.view();
    arguments.tree.text = policy.text_2d ? text_2d_.data() : tree_.text.data();
    if (policy.memory == MemoryPath::global) return;
    const Halves& nodes = policy.leaf_nodes ? all_nodes_ : inner_nodes_;
    const auto& halves = policy.memory == MemoryPath::texture_2d ? nodes.in_2d : nodes.linear;
    arguments.node_texture = reinterpret_cast<u64>(halves[0].data());
    arguments.child_texture = reinterpret_cast<u64>(halves[1].data());
    arguments.text_texture = reinterpret_cast<u64>(arguments.tree.text);
    arguments.tree.text = nullptr;
    arguments.tree.nodes = nullptr;
  }
  /// Slots that a kernel of a policy has left, as the host lists them.
  void name(std::span<Slot> slots, const MatchPolicy& policy, ThreadPool& pool) const {
    if (policy.leaf_nodes) to_places(slots, {all_.places.data(), all_.places.size()}, pool);
  }

 private:
  struct Halves {
    std::vector<HalfNode> linear[2], in_2d[2];

    explicit Halves(const SuffixTree& tree) {
      const std::span nodes(tree.nodes.data(), tree.nodes.size());
      for (const Half half : {Half::node, Half::children}) {
        auto& row = linear[static_cast<int>(half)];
        row.resize(nodes.size());
        halve_nodes(nodes, half, 0, row);
        auto& blocks = in_2d[static_cast<int>(half)];
        blocks.resize(node_rows(nodes.size()) * kNodeTexelsAcross);
        constexpr u64 kBand = kBlockSide * kNodeTexelsAcross;
        for (u64 band = 0; band < blocks.size() / kBand; ++band)
          band_of_nodes(nodes, half, band, std::span(blocks).subspan(band * kBand, kBand));
      }
    }
  };

  const SuffixTree& tree_;
  LeafNodes all_;
  HugeArray<u8> text_2d_;
  Halves inner_nodes_, all_nodes_;
};

/// Strands as kernels read them.
struct HostStrands {
  HostStrands(const Queries& queries, const Search& search, ThreadPool& pool)
      : layout(strand_layout(queries, search)), letters(written(queries, layout, pool)) {
    order = sorted_strands(std::span(letters).first(layout.letters()), layout.begin, pool);
    once = strand_layout(queries, search, true);
    letters_once = written(queries, once, pool);
  }

  void set(MatchArguments& arguments, const Search& search, const MatchPolicy& policy, bool sorted) const {
    arguments.min_length = search.min_length;
    arguments.unique = search.mode != Mode::maxmatch;
    arguments.own_end = ~0u;
    arguments.letters = policy.computed ? letters_once.data() : letters.data();
    arguments.begin = policy.computed ? once.begin.data() : layout.begin.data();
    arguments.strand_at = sorted && !policy.computed ? order.data() : nullptr;
    arguments.strands = static_cast<u32>(layout.strands());
    arguments.strands_of_query = search.strands();
    arguments.slot_begin = layout.slot_begin.data();
  }

  StrandLayout layout, once;  // once: each query, without its reverse complement
  std::vector<u8> letters, letters_once;
  std::vector<u32> order;

 private:
  static std::vector<u8> written(const Queries& queries, const StrandLayout& layout, ThreadPool& pool) {
    std::vector<u8> letters((layout.letters() + 3) / 4 * 4);
    write_strands(queries, layout, pool, std::span(letters).first(layout.letters()));
    return letters;
  }
};

inline void launch(const HostKernel& kernel, const MatchArguments& arguments) {
  const u64 tasks =
      arguments.tasks == nullptr ? u64{arguments.strands} * kernel.policy.lanes : arguments.task_count;
  const u32 blocks = static_cast<u32>((tasks + kernel.policy.threads - 1) / kernel.policy.threads);
  for (u32 block = 0; block < blocks; ++block)
    for (u32 thread = 0; thread < kernel.policy.threads; ++thread)
      kernel.thread(arguments, {thread, block, blocks});
}

/// A value that no kernel writes.
inline constexpr Slot kUnwritten{kNoNode, 7};

/// The slots of a launch.
inline std::vector<Slot> launch_for_slots(const HostKernel& kernel, MatchArguments arguments) {
  std::vector<Slot> slots(arguments.slot_begin[arguments.strands], kUnwritten);
  arguments.slots = slots.data();
  launch(kernel, arguments);
  return slots;
}

/// The matches of a launch and, for tasks that have more than `kept`, a second one.
inline MatchList launch_for_matches(const HostKernel& kernel, MatchArguments arguments, const Search& search,
                                    u32 kept, u32 offset, ThreadPool& pool) {
  const u64 tasks = u64{arguments.strands} * kernel.policy.lanes;
  std::vector<FoundMatch> first(tasks * kept), second;
  std::vector<u32> counts(tasks, 12345);
  arguments.matches = first.data();
  arguments.counts = counts.data();
  arguments.kept = kept;
  launch(kernel, arguments);
  const LongTasks longer = long_tasks(counts, kept);
  if (!longer.tasks.empty()) {
    second.resize(longer.begin.back());
    arguments.matches = second.data();
    arguments.counts = nullptr;
    arguments.tasks = longer.tasks.data();
    arguments.match_begin = longer.begin.data();
    arguments.task_count = static_cast<u32>(longer.tasks.size());
    launch(kernel, arguments);
  }
  return gather_matches({.first = first,
                         .second = second,
                         .counts = counts,
                         .longer = longer,
                         .kept = kept,
                         .lanes = kernel.policy.lanes},
                        search, offset, pool);
}

}  // namespace gpuseq::exact_match::testing
