#include "kernels/exact_match/data/suffix_sort.hpp"

#include <divsufsort.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/common/suffix_sort.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::exact_match {
namespace {

constexpr u64 kFewLetters = 100'000;  // are sorted on one thread as fast
constexpr u64 kLettersPerTask = u64{1} << 16;

u64 base_count(std::span<const u8> text) {
  return static_cast<u64>(std::count_if(text.begin(), text.end(), [](u8 code) { return code < 4; }));
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
  HugeArray<u32> leaves(base_count(text));  // separators are last
  std::copy_n(sorted.begin(), leaves.size(), leaves.begin());
  return leaves;
}

HugeArray<u32> sort_suffixes(std::span<const u8> text, ThreadPool& pool) {
  if (pool.size() > 1 && text.size() >= kFewLetters)
    if (auto leaves = sort_in_buckets(text, pool)) return std::move(*leaves);
  return sort_by_divsufsort(text);
}

std::vector<u32> common_prefixes(std::span<const u8> text, const HugeArray<u32>& leaves, ThreadPool& pool) {
  std::vector<u32> prefixes(text.size());  // first the position of the suffix before
  pool.parallel_for(leaves.size(), kLettersPerTask, [&](std::size_t begin, std::size_t end) {
    for (u64 i = begin; i < end; ++i)
      prefixes[leaves[i]] = i == 0 ? static_cast<u32>(text.size() - 1) : leaves[i - 1];
  });
  // Each piece of the text finds the length that it begins with anew, so there are few.
  const u64 grain = std::max(kLettersPerTask, text.size() / (4 * static_cast<u64>(pool.size())) + 1);
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
      prefixes[at] = length;
      length -= length > 0;
    }
  });
  return prefixes;
}

}  // namespace gpuseq::exact_match
