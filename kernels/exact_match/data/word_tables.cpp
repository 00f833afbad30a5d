#include "kernels/exact_match/data/word_tables.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "runtime/system/host_memory.hpp"

namespace gpuseq::exact_match {
namespace {

/// Fills the entries of all k-mers with a given prefix whose end in the tree is known.
class PrefixFiller {
 public:
  PrefixFiller(const TreeView& tree, PrefixTable& table) : tree_(tree), table_(table) {}

  void fill(Slot at, u64 word, u32 length) const {
    if (length == table_.letters) {
      table_.slots[word] = at;
      return;
    }
    for (u32 letter = 0; letter < 4; ++letter) {
      const u64 longer = word | u64{letter} << (2 * length);
      Slot next = at;
      // A k-mer that ended earlier keeps its slot: further letters do not change it.
      if (at.length == length) next = step(at, letter);
      fill(next, longer, length + 1);
    }
  }

  /// The slot after one more letter; the same slot if that letter does not follow.
  Slot step(Slot at, u32 letter) const {
    if (is_leaf(at.node) || tree_.nodes[at.node].depth > at.length) {
      const u32 place = is_leaf(at.node) ? leaf_position(at.node) : tree_.nodes[at.node].position;
      return tree_.text[place + at.length] == letter ? Slot{at.node, at.length + 1} : at;
    }
    const u32 child = tree_.nodes[at.node].child[letter];
    return child == kNoNode ? at : Slot{child, at.length + 1};
  }

 private:
  const TreeView& tree_;
  PrefixTable& table_;
};

/// Adds the k-mers whose last letter is in [begin, end). Other threads add theirs: an atomic addition waits
/// for its cache line, so that lines are prefetched some k-mers in advance.
void add_words(std::span<const u8> text, std::size_t begin, std::size_t end, WordFilter& filter) {
  constexpr u64 kWordsAhead = 32;
  std::array<u64, kWordsAhead> waiting;
  u64 words = 0;
  const auto add = [&](u64 word) {
    const std::atomic_ref<u64> bits(filter.words[word / 64]);
    const u64 bit = u64{1} << (word % 64);
    if ((bits.load(std::memory_order_relaxed) & bit) == 0) bits.fetch_or(bit, std::memory_order_relaxed);
  };
  const u32 letters = filter.letters;
  u64 word = 0;
  u32 bases = 0;  // since the last separator
  for (std::size_t at = begin - std::min<std::size_t>(begin, letters - 1); at < end; ++at) {
    const u8 code = text[at];
    word = word >> 2 | u64{code & 3u} << (2 * letters - 2);
    bases = code > 3 ? 0 : bases + 1;
    if (bases < letters) continue;
    u64& place = waiting[words % kWordsAhead];
    if (words++ >= kWordsAhead) add(place);
    __builtin_prefetch(&filter.words[word / 64], 1);
    place = word;
  }
  for (u64 i = 0; i < std::min(words, kWordsAhead); ++i) add(waiting[i]);
}

}  // namespace

PrefixTable make_prefix_table(const TreeView& tree, u32 letters, ThreadPool& pool) {
  if (letters == 0) return {};
  require_host_memory((sizeof(Slot) << (2 * letters)), "the prefix table");
  PrefixTable table{.letters = letters, .slots = HugeArray<Slot>(u64{1} << (2 * letters))};
  const PrefixFiller filler(tree, table);
  const u32 first = std::min(letters, 4u);  // letters by which k-mers are distributed over threads
  pool.parallel_for(u64{1} << (2 * first), 1, [&](std::size_t begin, std::size_t end) {
    for (u64 word = begin; word < end; ++word) {
      Slot at{kRoot, 0};
      for (u32 i = 0; i < first && at.length == i; ++i) at = filler.step(at, word >> (2 * i) & 3);
      filler.fill(at, word, first);
    }
  });
  return table;
}

WordFilter make_word_filter(std::span<const u8> text, u32 letters, ThreadPool& pool, u64 letters_per_task) {
  if (letters == 0) return {};
  WordFilter filter{.letters = letters,
                    .words = HugeArray<u64>(std::max<u64>((u64{1} << (2 * letters)) / 64, 1))};
  pool.parallel_for(text.size(), letters_per_task,
                    [&](std::size_t begin, std::size_t end) { add_words(text, begin, end, filter); });
  return filter;
}

}  // namespace gpuseq::exact_match
