#include "kernels/fm_mismatch/data/index.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include "kernels/fm_index/data/bwt.hpp"
#include "kernels/fm_index/data/cache.hpp"
#include "kernels/fm_index/data/rank.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::fm_mismatch {
namespace {

using fm_index::Bwt;
using fm_index::ColumnRank;

/// The memory layout of a line.
struct alignas(kLineBytes) StoredLine {
  u32 counters[4];
  u64 bits[6];
};
static_assert(sizeof(StoredLine) == kLineBytes);

HugeBuffer make_side(const Bwt& bwt, const ColumnRank& rank, ThreadPool& pool) {
  constexpr std::size_t kLinesPerTask = std::size_t{1} << 12;
  const u64 bytes = bytes_of_side(bwt.rows - 1);
  HugeBuffer buffer(bytes, bytes < u64{2} << 20 ? Pages::small : Pages::huge);
  auto* const lines = reinterpret_cast<StoredLine*>(buffer.data());
  const std::vector<u64>& planes = bwt.columns[0].planes;
  pool.parallel_for(bytes / kLineBytes, kLinesPerTask, [&](std::size_t begin, std::size_t end) {
    for (u64 number = begin; number < end; ++number) {
      StoredLine& line = lines[number];
      for (u64 i = 0; i < 6; ++i) line.bits[i] = 6 * number + i < planes.size() ? planes[6 * number + i] : 0;
      const u64 first = number * kLineRows;
      for (u32 symbol = 0; symbol < 4; ++symbol)
        line.counters[symbol] = static_cast<u32>(rank.lf(symbol, first));
      line.counters[0] += rank.dollar_row() < first ? 1 : 0;
    }
  });
  return buffer;
}

/// The transform of the reversed text, from the cache, or sorted and stored there.
Bwt reversed_bwt_of(std::span<const u8> text, const std::filesystem::path& cache_dir, Index& index,
                    ThreadPool& pool) {
  const std::vector<u8> reversed(text.rbegin(), text.rend());
  fm_index::BwtCache cache(cache_dir, reversed);
  std::optional<Bwt> bwt = cache.load_bwt(pool);
  index.from_cache = bwt.has_value();
  if (!bwt) {
    const fm_index::SuffixArray sorted = fm_index::sort_suffixes(reversed, pool);
    bwt = fm_index::bwt_of(reversed, sorted, pool);
    cache.store(*bwt, sorted);
  }
  index.note = cache.note();
  return std::move(*bwt);
}

SideView view_of(const HugeBuffer& side, const ColumnRank& rank) {
  return {reinterpret_cast<const u8*>(side.data()), static_cast<u32>(rank.dollar_row())};
}

}  // namespace

u64 bytes_of_side(u64 bases) {
  return ((bases + 1) / kLineRows + 1) * kLineBytes;
}

Index build_index(std::span<const u8> text, const Bwt& bwt, const ColumnRank& rank,
                  const std::filesystem::path& cache_dir, ThreadPool& pool) {
  const auto start = std::chrono::steady_clock::now();
  require_host_memory(
      2 * bytes_of_side(text.size()) + text.size() + fm_index::sorting_bytes(text.size(), true, pool.size()),
      "the index, with sorting the reversed text,");
  Index index;
  const Bwt reversed_bwt = reversed_bwt_of(text, cache_dir, index, pool);
  const ColumnRank reversed_rank(reversed_bwt, pool);
  index.forward = make_side(bwt, rank, pool);
  index.reverse = make_side(reversed_bwt, reversed_rank, pool);
  index.view = {.forward = view_of(index.forward, rank),
                .reverse = view_of(index.reverse, reversed_rank),
                .rows = static_cast<u32>(bwt.rows)};
  index.build_s = seconds_since(start);
  return index;
}

}  // namespace gpuseq::fm_mismatch
