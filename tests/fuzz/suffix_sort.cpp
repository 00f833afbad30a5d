#include "kernels/common/suffix_sort.hpp"

#include <algorithm>

#include "kernels/exact_match/data/suffix_sort.hpp"
#include "kernels/exact_match/data/tree_check.hpp"
#include "tests/fuzz/fuzz_input.hpp"

// Suffixes sorted with several threads that share every step, however short the text:
// in the order of comparing them letter by letter, and the suffix tree is the one that
// one thread builds. An input is the letters of records; any byte but A C G T ends one.

using namespace gpuseq;
using namespace exact_match;

namespace {

constexpr std::size_t kMostLetters = 1500;  // comparing letter by letter takes long
constexpr TreeTasks kSmallTasks{
    .letters_in_buckets = 0, .items = 7, .leaves_of_a_piece = 16, .leaves_of_a_part = 2};

std::vector<u8> text_of_records(std::string_view letters) {
  std::vector<u8> text{kSeparator};
  for (const char letter : letters.substr(0, kMostLetters)) text.push_back(base_code(letter, kSeparator));
  text.push_back(kSeparator);
  return text;
}

/// Up to where suffixes end, then by their positions. The end of the text is smallest, a separator greatest.
std::vector<u32> sorted_by_comparing(std::span<const u8> text) {
  std::vector<u32> positions;
  for (u32 at = 0; at < text.size(); ++at)
    if (text[at] < kSeparator) positions.push_back(at);
  std::ranges::sort(positions, [&](u32 a, u32 b) {
    const u32 first = a, second = b;
    while (a < text.size() && b < text.size() && text[a] == text[b] && text[a] < kSeparator) ++a, ++b;
    if (a == text.size() || b == text.size()) return a == text.size() && b != text.size();
    return text[a] != text[b] ? text[a] < text[b] : first < second;
  });
  return positions;
}

void require_order(std::span<const u8> text, SuffixEnds ends, ThreadPool& pool) {
  const std::vector<u32> expected = sorted_by_comparing(text);
  std::vector<u32> found(expected.size());
  if (gpuseq::sort_in_buckets(text, ends, found, pool)) fuzz::require(found == expected, "a wrong order");
}

bool are_same(const SuffixTree& a, const SuffixTree& b) {
  const auto bytes = [](const auto& values) {
    return std::as_bytes(std::span(values.data(), values.size()));
  };
  return std::ranges::equal(a.leaves, b.leaves) && std::ranges::equal(a.leaf_parent, b.leaf_parent) &&
         std::ranges::equal(a.leaf_depth, b.leaf_depth) &&
         std::ranges::equal(bytes(a.ranges), bytes(b.ranges)) &&
         std::ranges::equal(bytes(a.nodes), bytes(b.nodes));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static ThreadPool one(1, false), three(3, false);
  const std::vector<u8> text = text_of_records(fuzz::text_of(data, size));
  require_order(text, SuffixEnds::separators, three);
  const SortedSuffixes sorted = sort_suffixes(text, three, kSmallTasks);
  fuzz::require(std::ranges::equal(sorted.leaves, sorted_by_comparing(text)), "a wrong order of leaves");
  const SuffixTree tree = build_tree(text, three, kSmallTasks);
  fuzz::require(are_same(tree, build_tree(text, one)), "a tree that is not that of one thread");
  fuzz::require(is_suffix_tree(tree, three, kSmallTasks.items), "a tree that is none");

  std::vector<u8> bases;
  std::ranges::copy_if(text, std::back_inserter(bases), [](u8 code) { return code < kSeparator; });
  if (!bases.empty()) require_order(bases, SuffixEnds::text, three);
  return 0;
}
