#include "kernels/exact_match/data/strands.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuseq::exact_match {
namespace {

constexpr u64 kQueriesATime = 4096;
constexpr u32 kSortedLetters = 16;
constexpr u32 kStrandBuckets = 256;  // one for each value of the first four letters

/// The first letters, the first one highest. Letters after a strand's end are included, which is harmless.
u64 key_of(std::span<const u8> from) {
  u64 key = 0;
  for (u32 i = 0; i < kSortedLetters; ++i) key = key << 2 | (i < from.size() ? from[i] & 3u : 0u);
  return key;
}

}  // namespace

StrandLayout strand_layout(const Queries& queries, const Search& search, bool computed) {
  const u32 written = computed ? 1 : search.strands();
  StrandLayout layout{.begin = std::vector<u64>(queries.count() * written + 1),
                      .slot_begin = slot_begins(queries, search),
                      .written = written};
  u64 at = computed ? kTextPadding : 1;  // reverse complements end before the first letter
  for (u64 strand = 0; strand < queries.count() * written; ++strand) {
    layout.begin[strand] = at;
    at += queries.length(strand / written) + 1;
  }
  layout.begin.back() = at;
  return layout;
}

void write_strands(const Queries& queries, const StrandLayout& layout, ThreadPool& pool, std::span<u8> to) {
  const u32 strands = layout.written;
  std::fill_n(to.begin(), layout.begin.front(), kNoBase);
  std::fill_n(to.rbegin(), kTextPadding, kNoBase);
  pool.parallel_for(queries.count(), kQueriesATime, [&](std::size_t first, std::size_t end) {
    for (u64 query = first; query < end; ++query) {
      const auto codes = queries.codes(query);
      for (u32 strand = 0; strand < strands; ++strand) {
        u8* const place = to.data() + layout.begin[query * strands + strand];
        if (strand == 0)
          std::copy_n(codes.data(), codes.size(), place);
        else
          reverse_complement(codes, {place, codes.size()});
        place[codes.size()] = kNoBase;
      }
    }
  });
}

const u8* PaddedStrand::take(std::span<const u8> codes, bool reverse) {
  const auto to = std::span(letters_).subspan(1, codes.size());
  if (reverse)
    reverse_complement(codes, to);
  else
    std::copy(codes.begin(), codes.end(), to.begin());
  std::fill_n(to.end(), kTextPadding, kNoBase);
  return to.data();
}

std::vector<u32> sorted_strands(std::span<const u8> letters, std::span<const u64> begin, ThreadPool& pool) {
  const u64 count = begin.size() - 1;
  const u64 pieces = std::clamp<u64>(static_cast<u64>(pool.size()), 1, std::max<u64>(count, 1));
  std::vector<u64> keys(count), sorted(count);  // the key, and below it the strand's number
  std::vector<std::array<u64, kStrandBuckets>> next(pieces);
  const auto of_piece = [&](u64 piece, const auto& visit) {
    for (u64 i = count * piece / pieces; i < count * (piece + 1) / pieces; ++i) visit(i);
  };
  const auto bucket = [](u64 key) { return key >> 56; };
  pool.parallel_for(pieces, 1, [&](std::size_t piece, std::size_t) {
    next[piece].fill(0);
    of_piece(piece, [&](u64 strand) {
      keys[strand] = key_of(letters.subspan(begin[strand])) << 32 | strand;
      ++next[piece][bucket(keys[strand])];
    });
  });
  std::array<u64, kStrandBuckets + 1> bucket_begin{};
  u64 at = 0;
  for (u32 b = 0; b < kStrandBuckets; ++b) {
    bucket_begin[b] = at;
    for (auto& of : next) at += std::exchange(of[b], at);
  }
  bucket_begin[kStrandBuckets] = at;
  pool.parallel_for(pieces, 1, [&](std::size_t piece, std::size_t) {
    of_piece(piece, [&](u64 strand) { sorted[next[piece][bucket(keys[strand])]++] = keys[strand]; });
  });
  std::vector<u32> order(count);
  pool.parallel_for(kStrandBuckets, 1, [&](std::size_t b, std::size_t) {
    std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(bucket_begin[b]),
              sorted.begin() + static_cast<std::ptrdiff_t>(bucket_begin[b + 1]));
    for (u64 i = bucket_begin[b]; i < bucket_begin[b + 1]; ++i) order[i] = static_cast<u32>(sorted[i]);
  });
  return order;
}

}  // namespace gpuseq::exact_match
