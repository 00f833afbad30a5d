#include "kernels/fm_index/query_order.hpp"

#include <algorithm>
#include <iterator>

#include "kernels/fm_index/data/query_packing.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr u32 kBasesOfKey = 32;
constexpr std::size_t kSortedPerTask = 4096;
constexpr u32 kPartBits = 12;  // of keys: parts are small enough to be sorted in a core's own cache

/// Up to 32 bases of a packed query from the `at`-th on, counted from its last: that one in the lowest bits.
u64 bases_at(const Queries& queries, u32 query, u64 at, u32 count) {
  const u32* const packed = queries.packed.data() + u64{queries.begin[query]} * 4;
  const u64 words = packed_words(queries.bases[query]);
  const auto word = [&](u64 i) { return i < words ? u64{packed[i]} : 0; };
  const u32 skipped = 2 * (at % 16);
  u64 found = (word(at / 16) | word(at / 16 + 1) << 32) >> skipped;
  if (skipped > 0) found |= word(at / 16 + 2) << (64 - skipped);
  return count == kBasesOfKey ? found : found & ((u64{1} << (2 * count)) - 1);
}

/// Bases in the opposite order.
u64 reversed(u64 bases) {
  constexpr u64 kPairs = 0x3333333333333333, kFours = 0x0f0f0f0f0f0f0f0f;
  bases = (bases >> 2 & kPairs) | (bases & kPairs) << 2;
  bases = (bases >> 4 & kFours) | (bases & kFours) << 4;
  return __builtin_bswap64(bases);
}

/// Up to 32 bases of a query behind the first `taken` in its order, the first of them in the highest bits;
/// behind the last A.
u64 key_at(const Queries& queries, u32 query, QueryOrder order, u64 taken) {
  const u64 bases = queries.bases[query];
  if (taken >= bases) return 0;
  const auto count = static_cast<u32>(std::min<u64>(bases - taken, kBasesOfKey));
  if (order == QueryOrder::sorted_reversed) return reversed(bases_at(queries, query, taken, count));
  return bases_at(queries, query, bases - taken - count, count) << (2 * (kBasesOfKey - count));
}

/// The word of its last bases, in the highest bits.
u64 last_word(const Queries& queries, u32 query) {
  const u32 count = std::min(queries.bases[query], kLastWordBases);
  return count == 0 ? 0 : bases_at(queries, query, 0, count) << (2 * (kBasesOfKey - count));
}

struct KeyedQuery {
  u64 key = 0;
  u32 query = 0;
};

/// Whether a query comes before another with the same key.
bool before(const Queries& queries, QueryOrder order, u32 a, u32 b) {
  if (order != QueryOrder::by_rows) {
    const u64 longest = std::max(queries.bases[a], queries.bases[b]);
    for (u64 taken = kBasesOfKey; taken < longest; taken += kBasesOfKey) {
      const u64 of_a = key_at(queries, a, order, taken), of_b = key_at(queries, b, order, taken);
      if (of_a != of_b) return of_a < of_b;
    }
    if (queries.bases[a] != queries.bases[b]) return queries.bases[a] < queries.bases[b];
  }
  return a < b;
}

std::vector<KeyedQuery> keyed(const Queries& queries, QueryOrder order, ThreadPool& pool) {
  std::vector<KeyedQuery> all(queries.begin.size());
  pool.parallel_for(all.size(), kSortedPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto query = static_cast<u32>(i);
      all[i] = {order == QueryOrder::by_rows ? last_word(queries, query) : key_at(queries, query, order, 0),
                query};
    }
  });
  return all;
}

/// Sorts by the highest bits of keys. @returns where each part begins, and the end
std::vector<std::size_t> part(std::vector<KeyedQuery>& all) {
  constexpr u32 kParts = 1u << kPartBits;
  const auto part_of = [](const KeyedQuery& one) { return one.key >> (64 - kPartBits); };
  std::vector<std::size_t> starts(kParts + 1);
  for (const KeyedQuery& one : all) ++starts[part_of(one) + 1];
  for (u32 i = 0; i < kParts; ++i) starts[i + 1] += starts[i];
  std::vector<std::size_t> next(starts.begin(), std::prev(starts.end()));
  std::vector<KeyedQuery> parted(all.size());
  for (const KeyedQuery& one : all) parted[next[part_of(one)]++] = one;
  all = std::move(parted);
  return starts;
}

}  // namespace

QueryOrder query_order(std::string_view word) {
  return static_cast<QueryOrder>(std::ranges::find(kQueryOrders, word) - kQueryOrders.begin());
}

std::string_view words_of(QueryOrder order) {
  static constexpr std::string_view kWords[] = {"as given", "sorted", "sorted reversed", "by rows"};
  return kWords[static_cast<std::size_t>(order)];
}

std::vector<u32> in_order(const Queries& queries, QueryOrder order, ThreadPool& pool) {
  require_host_memory(queries.begin.size() * 2 * sizeof(KeyedQuery), "sorting the queries");
  std::vector<KeyedQuery> all = keyed(queries, order, pool);
  const std::vector<std::size_t> starts = part(all);
  pool.parallel_for(starts.size() - 1, 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      std::sort(all.begin() + static_cast<std::ptrdiff_t>(starts[i]),
                all.begin() + static_cast<std::ptrdiff_t>(starts[i + 1]),
                [&](const KeyedQuery& a, const KeyedQuery& b) {
                  return a.key != b.key ? a.key < b.key : before(queries, order, a.query, b.query);
                });
  });
  std::vector<u32> permutation(all.size());
  std::ranges::transform(all, permutation.begin(), &KeyedQuery::query);
  return permutation;
}

Queries reordered(const Queries& queries, QueryOrder order, ThreadPool& pool) {
  const std::vector<u32> permutation = in_order(queries, order, pool);
  require_host_memory(queries.bytes() + queries.source.size() * sizeof(u32), "the sorted queries");
  Queries result{.names = queries.names,
                 .packed = std::vector<u32>(queries.packed.size()),
                 .begin = std::vector<u32>(permutation.size()),
                 .bases = std::vector<u32>(permutation.size()),
                 .source = std::vector<u32>(permutation.size()),
                 .first_kmers = queries.first_kmers,
                 .total = queries.total,
                 .total_bases = queries.total_bases,
                 .longest = queries.longest};
  u64 units = 0;
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    result.bases[i] = queries.bases[permutation[i]];
    result.begin[i] = static_cast<u32>(units);
    units += packed_words(result.bases[i]) / 4;
  }
  pool.parallel_for(permutation.size(), kSortedPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const u32 from = permutation[i];
      result.source[i] = queries.source[from];
      std::copy_n(queries.packed.begin() + std::ptrdiff_t{queries.begin[from]} * 4,
                  packed_words(result.bases[i]), result.packed.begin() + std::ptrdiff_t{result.begin[i]} * 4);
    }
  });
  return result;
}

}  // namespace gpuseq::fm_index
