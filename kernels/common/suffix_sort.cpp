#include "kernels/common/suffix_sort.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "kernels/common/packed_letters.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq {
namespace {

constexpr u32 kFewestBucketLetters = 4, kMostBucketLetters = 9;
constexpr u64 kSuffixesPerBucket = 256;  // least average
constexpr u64 kBucketsPerThread = 64;    // for load balance
/// One thread sorts a bucket: a bucket that is not small may have at most this part of the text.
constexpr u64 kLargestBucket = 16;
constexpr u64 kSmallBucket = u64{1} << 16;
/// Limit of the keys per suffix and thread: about the time of libdivsufsort on one thread.
constexpr u64 kKeysPerThread = 4;

u32 bucket_letters(u64 letters) {
  u32 result = kFewestBucketLetters;
  while (result < kMostBucketLetters && (kSuffixesPerBucket << (2 * (result + 1))) <= letters) ++result;
  return result;
}

struct Keyed {
  u64 letters;
  u32 position;
  u32 end;
  /// Suffixes that end in the same key are equal and ordered by position.
  bool operator<(const Keyed& other) const {
    if (letters != other.letters) return letters < other.letters;
    return end != other.end ? end < other.end : position < other.position;
  }
  bool same_as(const Keyed& other) const { return letters == other.letters && end == other.end; }
};

/// Sorts suffixes with a common prefix on one thread.
class RunSorter {
 public:
  /// @param first_letters  length of the suffixes' common prefix at the start
  RunSorter(const PackedLetters& packed, u32 first_letters, std::atomic<i64>& keys_left)
      : packed_(packed), first_letters_(first_letters), keys_left_(keys_left) {}
  ~RunSorter() { keys_left_ -= keys_; }

  /// False: gave up because the keys were used up.
  bool sort(std::span<u32> positions) {
    positions_ = positions;
    waiting_.assign(1, {0, static_cast<u32>(positions.size()), 0});
    while (!waiting_.empty()) {
      const Run run = waiting_.back();
      waiting_.pop_back();
      if (run.end - run.begin < 2) continue;
      if (keys_ >= kKeysAtATime && (keys_left_ -= std::exchange(keys_, 0)) < 0) return false;
      if (run.end - run.begin == 2)
        sort_pair(run);
      else
        sort_run(run);
    }
    return true;
  }

 private:
  static constexpr i64 kKeysAtATime = i64{1} << 13;

  /// Suffixes with a common prefix.
  struct Run {
    u32 begin, end;
    u64 depth;
  };

  /// Special case: most runs that are equal in 32 letters have two suffixes.
  void sort_pair(const Run& run) {
    u32 &first = positions_[run.begin], &second = positions_[run.begin + 1];
    for (u64 depth = run.depth;; depth += PackedLetters::kKeyLetters) {
      if ((keys_ += 2) > kKeysAtATime) return waiting_.push_back({run.begin, run.end, depth});
      const SuffixKey a = packed_.key_at(first + depth), b = packed_.key_at(second + depth);
      if (a.letters == b.letters && a.end == b.end && a.end == PackedLetters::kGoesOn) continue;
      if (Keyed{b.letters, second, b.end} < Keyed{a.letters, first, a.end}) std::swap(first, second);
      return;
    }
  }

  /// Reallocates without copying and without the extra capacity of resize().
  static void make_room(std::vector<Keyed>& keyed, std::size_t count) {
    if (count > keyed.capacity()) keyed = {};
    keyed.resize(count);
  }

  /// @param known  letters that all keys have in common
  void sort_keyed(u32 known) {
    constexpr std::size_t kFew = 64;
    if (keyed_.size() < kFew) {
      std::sort(keyed_.begin(), keyed_.end());
      return;
    }
    const auto digit = [known](const Keyed& keyed) { return keyed.letters << (2 * known) >> 56; };
    std::array<u32, 257> begins{};
    for (const Keyed& keyed : keyed_) ++begins[digit(keyed) + 1];
    for (u32 i = 0; i < 256; ++i) begins[i + 1] += begins[i];
    make_room(other_, keyed_.size());
    auto next = begins;
    for (const Keyed& keyed : keyed_) other_[next[digit(keyed)]++] = keyed;
    for (u32 i = 0; i < 256; ++i)
      if (begins[i + 1] - begins[i] > 1)
        std::sort(other_.begin() + begins[i], other_.begin() + begins[i + 1]);
    keyed_.swap(other_);
  }

  void sort_run(const Run& run) {
    const u32 count = run.end - run.begin;
    keys_ += count;
    make_room(keyed_, count);
    for (u32 i = 0; i < count; ++i) {
      const u32 position = positions_[run.begin + i];
      const SuffixKey key = packed_.key_at(position + run.depth);
      keyed_[i] = {key.letters, position, key.end};
    }
    sort_keyed(run.depth == 0 ? first_letters_ : 0);
    for (u32 i = 0, begin = 0; i < count; ++i) {
      positions_[run.begin + i] = keyed_[i].position;
      if (i + 1 < count && keyed_[i + 1].same_as(keyed_[begin])) continue;
      if (keyed_[begin].end == PackedLetters::kGoesOn && i > begin)
        waiting_.push_back({run.begin + begin, run.begin + i + 1, run.depth + PackedLetters::kKeyLetters});
      begin = i + 1;
    }
  }

  const PackedLetters& packed_;
  u32 first_letters_;
  std::atomic<i64>& keys_left_;
  i64 keys_ = 0;  // not yet subtracted from keys_left_
  std::span<u32> positions_;
  std::vector<Run> waiting_;  // instead of a deep recursion, as repeats may be long
  std::vector<Keyed> keyed_, other_;
};

/// Whether a text consists of a few k-mers, such as all A or ACAC..., judged from some of its positions: for
/// such texts libdivsufsort takes less time than a longer test.
bool has_few_words(std::span<const u8> text) {
  constexpr u64 kPlaces = 4096, kWordLetters = 8, kMostOfAWord = kPlaces / 8;
  if (text.size() < kPlaces * kWordLetters) return false;
  std::vector<u32> words;
  for (u64 i = 0; i < kPlaces; ++i) {
    const auto letters = text.subspan((text.size() - kWordLetters) * i / kPlaces, kWordLetters);
    u32 word = 0;
    for (const u8 letter : letters) word = word << 3 | letter;
    if (std::ranges::all_of(letters, [](u8 letter) { return letter < 4; })) words.push_back(word);
  }
  std::ranges::sort(words);
  for (u64 i = kMostOfAWord; i < words.size(); ++i)
    if (words[i] == words[i - kMostOfAWord]) return true;
  return false;
}

class BucketSort {
 public:
  BucketSort(std::span<const u8> text, SuffixEnds ends, ThreadPool& pool)
      : text_(text),
        ends_(ends),
        pool_(pool),
        packed_(text, ends, pool),
        letters_(bucket_letters(text.size())) {}

  bool sort(std::span<u32> positions) {
    if (!can_be_sorted()) return false;
    const u64 pieces = static_cast<u64>(pool_.size()), buckets = u64{1} << (2 * letters_);
    std::vector<std::vector<u32>> counts(pieces);
    for_pieces([&](u64 piece, u64 begin, u64 end) {
      counts[piece].resize(buckets);
      for_suffixes(begin, end, [&](u32, u64 bucket) { ++counts[piece][bucket]; });
    });
    std::vector<u32> begins(buckets + 1);
    u32 at = 0;
    for (u64 bucket = 0; bucket < buckets; ++bucket) {
      begins[bucket] = at;
      for (auto& count : counts) at += std::exchange(count[bucket], at);
    }
    begins[buckets] = at;
    if (!are_small(begins)) return false;
    for_pieces([&](u64 piece, u64 begin, u64 end) {
      auto& next = counts[piece];
      for_suffixes(begin, end, [&](u32 position, u64 bucket) { positions[next[bucket]++] = position; });
    });
    keys_left_ = static_cast<i64>(2 * most_keys() * text_.size());
    pool_.parallel_for(
        buckets, buckets / (kBucketsPerThread * pieces) + 1, [&](std::size_t begin, std::size_t end) {
          RunSorter sorter(packed_, letters_, keys_left_);
          for (u64 bucket = begin; bucket < end; ++bucket)
            if (!sorter.sort(positions.subspan(begins[bucket], begins[bucket + 1] - begins[bucket]))) return;
        });
    return keys_left_ >= 0;
  }

 private:
  u64 most_keys() const { return kKeysPerThread * static_cast<u64>(pool_.size()); }

  /// Sorts a sample: suffixes whose first 32 letters have a hash in a narrow range, so that it has all copies
  /// of a repeat. The number of keys of the sample estimates that of all suffixes.
  bool can_be_sorted() {
    constexpr u64 kLeastStep = 128, kMostSampled = u64{1} << 18;
    const u64 step = std::max(kLeastStep, text_.size() / kMostSampled), expected = text_.size() / step;
    const u64 limit = ~u64{0} / step;
    std::vector<std::vector<u32>> found(static_cast<u64>(pool_.size()));
    for_pieces([&](u64 piece, u64 begin, u64 end) {
      packed_.for_letters(begin, end, [&](u64 at, u64 letters) {
        if (letters * 0x9e3779b97f4a7c15 < limit && text_[at] < 4 && found[piece].size() <= 8 * expected)
          found[piece].push_back(static_cast<u32>(at));
      });
    });
    std::vector<u32> sample;
    for (const auto& piece : found) sample.insert(sample.end(), piece.begin(), piece.end());
    constexpr u64 kFew = 64;  // too few for an estimate
    if (expected > kFew && (sample.size() < expected / 8 || sample.size() > 8 * expected)) return false;
    keys_left_ = static_cast<i64>(most_keys() * (sample.size() + kFew));
    if (!RunSorter(packed_, 0, keys_left_).sort(sample)) return false;
    return keys_left_ >= 0;
  }

  /// False if a bucket is so large that other threads would wait for the one that sorts it.
  /// @throws DoesNotFit if the keys of the largest buckets, one per thread, do not fit the memory
  bool are_small(const std::vector<u32>& begins) const {
    std::vector<u32> sizes(begins.size() - 1);
    for (u64 bucket = 0; bucket < sizes.size(); ++bucket) sizes[bucket] = begins[bucket + 1] - begins[bucket];
    const auto largest = sizes.begin() + std::min<std::ptrdiff_t>(pool_.size(), std::ssize(sizes));
    std::partial_sort(sizes.begin(), largest, sizes.end(), std::greater());
    require_host_memory(std::accumulate(sizes.begin(), largest, u64{0}) * 2 * sizeof(Keyed),
                        "sorting suffixes in buckets");
    return sizes.front() <= std::max(kSmallBucket, text_.size() / kLargestBucket);
  }

  template <typename Work>
  void for_pieces(const Work& work) {
    const u64 pieces = static_cast<u64>(pool_.size());
    pool_.parallel_for(pieces, 1, [&](std::size_t begin, std::size_t end) {
      for (u64 piece = begin; piece < end; ++piece)
        work(piece, text_.size() * piece / pieces, text_.size() * (piece + 1) / pieces);
    });
  }

  /// Calls `take` with each position of a base and its bucket, from right to left.
  template <typename Take>
  void for_suffixes(u64 begin, u64 end, const Take& take) const {
    const u32 shift = 2 * (letters_ - 1);
    const u64 last = (u64{1} << (2 * letters_)) - 1;
    u64 bucket = ends_ == SuffixEnds::text ? 0 : last;
    for (u64 at = std::min<u64>(end + letters_, text_.size()); at-- > begin;) {
      const u64 letter = text_[at];
      bucket = letter < 4 ? bucket >> 2 | letter << shift : last;
      if (at < end && letter < 4) take(static_cast<u32>(at), bucket);
    }
  }

  std::span<const u8> text_;
  SuffixEnds ends_;
  ThreadPool& pool_;
  PackedLetters packed_;
  u32 letters_;
  std::atomic<i64> keys_left_{0};
};

}  // namespace

u64 bucket_sort_bytes(u64 letters, SuffixEnds ends, int threads) {
  const u64 counts = (static_cast<u64>(threads) + 2) * sizeof(u32) << (2 * bucket_letters(letters));
  return PackedLetters::bytes(letters, ends) + counts;
}

bool sort_in_buckets(std::span<const u8> text, SuffixEnds ends, std::span<u32> positions, ThreadPool& pool) {
  if (has_few_words(text)) return false;
  return BucketSort(text, ends, pool).sort(positions);
}

}  // namespace gpuseq
