#include "kernels/exact_match/data/suffix_sort.hpp"

#include <divsufsort.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

#include "runtime/contract/errors.hpp"

namespace gpuseq::exact_match {
namespace {

constexpr u32 kBucketLetters = 8;
constexpr u64 kBuckets = 390'625;  // 5 to the power of kBucketLetters
constexpr u32 kKeyLetters = 21;
constexpr u64 kKeyPadding = 24;  // letters that a key reads
constexpr u64 kBucketsPerTask = 1024;
/// Of a text of n letters so many keys are compared for, n times, before sorting in buckets is given up.
constexpr u64 kMostKeys = 16;
/// One bucket is sorted by one thread: none may hold more than this part of the text.
constexpr u64 kLargestBucket = 16;
constexpr u64 kFewLetters = 100'000;  // are sorted on one thread as fast
constexpr u64 kLettersPerTask = u64{1} << 16;

u64 base_count(std::span<const u8> text) {
  return static_cast<u64>(std::count_if(text.begin(), text.end(), [](u8 code) { return code < 4; }));
}

/// Three bits of each of eight letters, the first highest.
u64 packed(const u8* letters) {
  u64 word;
  std::memcpy(&word, letters, sizeof word);
  if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
  word = (word & 0x0007000700070007) | (word >> 5 & 0x0038003800380038);
  word = (word & 0x0000003f0000003f) | (word >> 10 & 0x00000fc000000fc0);
  return (word & 0xfff) | (word >> 20 & 0xfff000);
}

/// kKeyLetters letters.
u64 key_at(const u8* letters) {
  return packed(letters) << 39 | packed(letters + 8) << 15 | packed(letters + 16) >> 9;
}
constexpr u64 kSeparatorsOfAKey = 0444444444444444444444;

struct Keyed {
  u64 key;
  u32 position;
  bool operator<(const Keyed& other) const {
    return key != other.key ? key < other.key : position < other.position;
  }
};

class BucketSort {
 public:
  BucketSort(std::span<const u8> text, ThreadPool& pool)
      : letters_(text.size() + kKeyPadding, kSeparator), text_letters_(text.size()), pool_(pool) {
    std::copy(text.begin(), text.end(), letters_.begin());
  }

  /// False: given up.
  bool sort(HugeArray<u32>& leaves) {
    const u64 pieces = static_cast<u64>(pool_.size());
    std::vector<std::vector<u32>> counts(pieces, std::vector<u32>(kBuckets + 1));
    for_pieces([&](u64 piece, u64 begin, u64 end) {
      for_suffixes(begin, end, [&](u32, u64 bucket) { ++counts[piece][bucket]; });
    });
    std::vector<u32> begins(kBuckets + 1);
    u32 at = 0, largest = 0;
    for (u64 bucket = 0; bucket < kBuckets; ++bucket) {
      begins[bucket] = at;
      for (auto& count : counts) at += std::exchange(count[bucket], at);
      largest = std::max(largest, at - begins[bucket]);
    }
    begins[kBuckets] = at;
    if (largest > text_letters_ / kLargestBucket) return false;
    for_pieces([&](u64 piece, u64 begin, u64 end) {
      auto& next = counts[piece];
      for_suffixes(begin, end, [&](u32 position, u64 bucket) { leaves[next[bucket]++] = position; });
    });
    keys_left_ = static_cast<i64>(text_letters_ * kMostKeys);
    pool_.parallel_for(kBuckets, kBucketsPerTask, [&](std::size_t begin, std::size_t end) {
      Sorter sorter;
      for (u64 bucket = begin; bucket < end; ++bucket)
        if (!ends_within(bucket))
          sort_runs(leaves, {begins[bucket], begins[bucket + 1], kBucketLetters}, sorter);
    });
    return keys_left_ >= 0;
  }

 private:
  template <typename Work>
  void for_pieces(const Work& work) {
    const u64 pieces = static_cast<u64>(pool_.size());
    pool_.parallel_for(pieces, 1, [&](std::size_t begin, std::size_t end) {
      for (u64 piece = begin; piece < end; ++piece)
        work(piece, text_letters_ * piece / pieces, text_letters_ * (piece + 1) / pieces);
    });
  }

  /// Calls `take` with each position of a base and its bucket, from right to left.
  template <typename Take>
  void for_suffixes(u64 begin, u64 end, const Take& take) const {
    constexpr u64 kFirst = kBuckets / 5;
    u64 bucket = 0;
    for (u64 i = kBucketLetters; i-- > 0;) bucket = bucket / 5 + kFirst * letters_[end + i];
    for (u64 at = end; at-- > begin;) {
      bucket = bucket / 5 + kFirst * letters_[at];
      if (letters_[at] < 4) take(static_cast<u32>(at), bucket);
    }
  }

  static bool ends_within(u64 bucket) {
    for (u32 i = 0; i < kBucketLetters; ++i, bucket /= 5)
      if (bucket % 5 == 4) return true;
    return false;
  }

  /// Suffixes that are the same in their first letters.
  struct Run {
    u32 begin, end;  // in the leaves
    u32 depth;
  };
  /// What one thread needs to sort runs; those that wait are no deep recursion, as repeats may be long.
  struct Sorter {
    std::vector<Run> waiting;
    std::vector<Keyed> keyed;
  };

  void sort_runs(HugeArray<u32>& leaves, Run first, Sorter& sorter) {
    for (sorter.waiting.assign(1, first); !sorter.waiting.empty();) {
      const Run run = sorter.waiting.back();
      sorter.waiting.pop_back();
      const u32 count = run.end - run.begin;
      if (count < 2) continue;
      if ((keys_left_ -= count) < 0) return;
      auto& keyed = sorter.keyed;
      keyed.clear();
      for (u32 i = run.begin; i < run.end; ++i)
        keyed.push_back({key_at(&letters_[leaves[i] + run.depth]), leaves[i]});
      std::sort(keyed.begin(), keyed.end());
      for (u32 i = 0, begin = 0; i < count; ++i) {
        leaves[run.begin + i] = keyed[i].position;
        if (i + 1 < count && keyed[i + 1].key == keyed[begin].key) continue;
        if ((keyed[begin].key & kSeparatorsOfAKey) == 0)
          sorter.waiting.push_back({run.begin + begin, run.begin + i + 1, run.depth + kKeyLetters});
        begin = i + 1;
      }
    }
  }

  std::vector<u8> letters_;
  u64 text_letters_;
  ThreadPool& pool_;
  std::atomic<i64> keys_left_{0};
};

}  // namespace

std::optional<HugeArray<u32>> sort_in_buckets(std::span<const u8> text, ThreadPool& pool) {
  HugeArray<u32> leaves(base_count(text));
  if (!BucketSort(text, pool).sort(leaves)) return std::nullopt;
  return leaves;
}

HugeArray<u32> sort_by_divsufsort(std::span<const u8> text) {
  std::vector<std::int32_t> sorted(text.size());
  if (divsufsort(text.data(), sorted.data(), static_cast<std::int32_t>(text.size())) != 0)
    throw ResourceError(fmt::format("no memory to sort the suffixes of {} letters", text.size()));
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
