#include "kernels/exact_match/data/suffix_sort.hpp"

#include <divsufsort.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/common/suffix_sort.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::exact_match {
namespace {

u64 base_count(std::span<const u8> text) {
  return static_cast<u64>(std::count_if(text.begin(), text.end(), [](u8 code) { return code < 4; }));
}

/// Orders suffixes that are equal up to their separators by position.
void order_by_position(HugeArray<u32>& leaves, CommonPrefixes& prefixes) {
  if (std::ranges::all_of(prefixes.same, [](u64 bits) { return bits == 0; })) return;
  const auto is_same = [&](u64 rank) {
    return (prefixes.same[leaves[rank] / 64] >> leaves[rank] % 64 & 1) != 0;
  };
  for (u64 first = 0, end; first < leaves.size(); first = end) {
    for (end = first + 1; end < leaves.size() && is_same(end);) ++end;
    if (end == first + 1) continue;
    const u32 before = prefixes.letters[leaves[first]], letters = prefixes.letters[leaves[first + 1]];
    std::sort(leaves.begin() + first, leaves.begin() + end);
    for (u64 rank = first; rank < end; ++rank)
      prefixes.letters[leaves[rank]] = rank == first ? before : letters;
  }
}

}  // namespace

std::optional<HugeArray<u32>> sort_in_buckets(std::span<const u8> text, ThreadPool& pool) {
  HugeArray<u32> leaves(base_count(text));
  if (!gpuseq::sort_in_buckets(text, SuffixEnds::separators, {leaves.data(), leaves.size()}, pool))
    return std::nullopt;
  return leaves;
}

HugeArray<u32> sort_by_divsufsort(std::span<const u8> text) {
  std::vector<std::int32_t> sorted(text.size());
  if (divsufsort(text.data(), sorted.data(), static_cast<std::int32_t>(text.size())) != 0)
    throw DoesNotFit(fmt::format("no memory to sort the suffixes of {} letters", text.size()));
  HugeArray<u32> leaves(base_count(text));  // without suffixes that begin with a separator, which are last
  std::copy_n(sorted.begin(), leaves.size(), leaves.begin());
  return leaves;
}

SortedSuffixes sort_suffixes(std::span<const u8> text, ThreadPool& pool, const TreeTasks& tasks) {
  if (pool.size() > 1 && text.size() >= tasks.letters_in_buckets)
    if (auto leaves = sort_in_buckets(text, pool)) {
      CommonPrefixes prefixes = common_prefixes(text, *leaves, pool, tasks.items);
      return {.leaves = std::move(*leaves), .prefixes = std::move(prefixes.letters)};
    }
  HugeArray<u32> leaves = sort_by_divsufsort(text);
  CommonPrefixes prefixes = common_prefixes(text, leaves, pool, tasks.items);
  order_by_position(leaves, prefixes);
  return {.leaves = std::move(leaves), .prefixes = std::move(prefixes.letters)};
}

CommonPrefixes common_prefixes(std::span<const u8> text, const HugeArray<u32>& leaves, ThreadPool& pool,
                               u64 items) {
  CommonPrefixes common{.letters = std::vector<u32>(text.size()),
                        .same = std::vector<u64>(text.size() / 64 + 1)};
  std::vector<u32>& prefixes = common.letters;  // at first the position of the previous suffix
  pool.parallel_for(leaves.size(), items, [&](std::size_t begin, std::size_t end) {
    for (u64 i = begin; i < end; ++i)
      prefixes[leaves[i]] = i == 0 ? static_cast<u32>(text.size() - 1) : leaves[i - 1];
  });
  // Each piece of the text has to find its first length without a predecessor, so there are few pieces.
  // Pieces do not share words of bits.
  const u64 grain = std::max(items, text.size() / (4 * static_cast<u64>(pool.size())) + 1) / 64 * 64 + 64;
  pool.parallel_for(text.size(), grain, [&](std::size_t begin, std::size_t end) {
    u32 length = 0;
    for (u64 at = begin; at < end; ++at) {
      if (text[at] > 3) {
        prefixes[at] = length = 0;
        continue;
      }
      const u8* before = &text[prefixes[at]];
      const u8* here = &text[at];
      while (here[length] == before[length] && here[length] < 4) ++length;
      if (here[length] > 3 && before[length] > 3) common.same[at / 64] |= u64{1} << at % 64;
      prefixes[at] = length;
      length -= length > 0;
    }
  });
  return common;
}

}  // namespace gpuseq::exact_match
