#include "kernels/fm_index/data/bwt.hpp"

#include <divsufsort.h>
#include <divsufsort64.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <new>

#include "runtime/contract/errors.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/huge_vector.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr u64 kChunksPerTask = kRowsPerPiece / 64;

u64 chunks_of(u64 rows) {
  return (rows + 63) / 64;
}

/// The four places from which LF order reads the previous column: one per symbol, each moving forward only.
class ForwardReader {
 public:
  ForwardReader(const BwtColumn& column, u64 rows, const std::array<u64, 4>& starts)
      : planes_(column.planes), chunks_(chunks_of(rows)), next_(starts) {}

  /// The next 64 symbols (planes) of each of the four places.
  void peek(std::array<u64, 4>& low, std::array<u64, 4>& high) const {
    for (u32 s = 0; s < 4; ++s) {
      const u64 chunk = next_[s] / 64;
      const u32 shift = next_[s] % 64;
      low[s] = word(2 * chunk) >> shift;
      high[s] = word(2 * chunk + 1) >> shift;
      if (shift != 0) {
        low[s] |= word(2 * chunk + 2) << (64 - shift);
        high[s] |= word(2 * chunk + 3) << (64 - shift);
      }
    }
  }
  void advance(u32 symbol, u32 rows) { next_[symbol] += rows; }

 private:
  u64 word(u64 i) const { return i < 2 * chunks_ ? planes_[i] : 0; }
  const std::vector<u64>& planes_;
  u64 chunks_;
  std::array<u64, 4> next_;
};

/// Column j of rows [64 begin, 64 end) from column j - 1. As LF maps the rows of each symbol in order to
/// consecutive rows, this reads four streams and follows no pointer.
void derive_chunks(const Bwt& bwt, const BwtColumn& previous, BwtColumn& column, u64 begin, u64 end,
                   const std::array<u64, 4>& starts) {
  const BwtColumn& first = bwt.columns[0];
  ForwardReader reader(previous, bwt.rows, starts);
  std::array<u64, 4> low, high;
  for (u64 c = begin; c < end; ++c) {
    reader.peek(low, high);
    const u64 symbols_low = first.planes[2 * c], symbols_high = first.planes[2 * c + 1];
    u64 out_low = 0, out_high = 0;
    const u32 rows = static_cast<u32>(std::min<u64>(64, bwt.rows - 64 * c));
    std::array<u32, 4> used{};
    for (u32 i = 0; i < rows; ++i) {
      if (64 * c + i == first.dollar_row) {  // LF of `$` is row 0
        out_low |= (previous.planes[0] & 1) << i;
        out_high |= (previous.planes[1] & 1) << i;
        continue;
      }
      const u32 s = static_cast<u32>((symbols_low >> i & 1) | (symbols_high >> i & 1) << 1);
      out_low |= (low[s] & 1) << i;
      out_high |= (high[s] & 1) << i;
      low[s] >>= 1;
      high[s] >>= 1;
      ++used[s];
    }
    for (u32 s = 0; s < 4; ++s) reader.advance(s, used[s]);
    column.planes[2 * c] = out_low;
    column.planes[2 * c + 1] = out_high;
  }
}

/// The row that LF maps to `row`.
u64 inverse_lf(const Bwt& bwt, const std::vector<std::array<u64, 4>>& starts, u64 row) {
  const BwtColumn& column = bwt.columns[0];
  if (row == 0) return column.dollar_row;
  u32 symbol = 3;
  while (bwt.first[symbol] > row) --symbol;
  std::size_t task = starts.size() - 1;
  while (starts[task][symbol] > row) --task;
  u64 left = row - starts[task][symbol];
  for (u64 r = task * kChunksPerTask * 64;; ++r) {
    if (r == column.dollar_row || column.symbol(r) != symbol) continue;
    if (left-- == 0) return r;
  }
}

void require_memory(u64 bases, bool buckets, int threads) {
  require_host_memory(sorting_bytes(bases, buckets, threads),
                      fmt::format("sorting the suffixes of {} bases", bases));
}

template <typename Position>
Bwt column_of(std::span<const u8> text, const std::vector<Position>& suffixes, ThreadPool& pool) {
  Bwt bwt;
  bwt.rows = text.size() + 1;
  BwtColumn column;
  column.planes.resize(2 * chunks_of(bwt.rows));
  std::atomic<u64> dollar_row{0};
  pool.parallel_for(chunks_of(bwt.rows), kChunksPerTask, [&](std::size_t begin, std::size_t end) {
    for (u64 c = begin; c < end; ++c) {
      u64 low = 0, high = 0;
      for (u64 r = 64 * c; r < std::min(bwt.rows, 64 * (c + 1)); ++r) {
        const u64 at = r == 0 ? text.size() : static_cast<u64>(suffixes[r - 1]);
        if (at == 0) {
          dollar_row = r;
          continue;
        }
        low |= static_cast<u64>(text[at - 1] & 1) << (r % 64);
        high |= static_cast<u64>(text[at - 1] >> 1) << (r % 64);
      }
      column.planes[2 * c] = low;
      column.planes[2 * c + 1] = high;
    }
  });
  column.dollar_row = dollar_row;
  bwt.columns.push_back(std::move(column));
  count_symbols(bwt, pool);
  return bwt;
}

}  // namespace

void count_symbols(Bwt& bwt, ThreadPool& pool) {
  const BwtColumn& column = bwt.columns[0];
  std::array<std::atomic<u64>, 4> counts{};
  pool.parallel_for(chunks_of(bwt.rows), kChunksPerTask, [&](std::size_t begin, std::size_t end) {
    std::array<u64, 4> mine{};
    for (u64 c = begin; c < end; ++c) {
      const u64 low = column.planes[2 * c], high = column.planes[2 * c + 1];
      for (u32 s = 1; s < 4; ++s) mine[s] += popcount64(match_column(low, high, s));
    }
    for (u32 s = 1; s < 4; ++s) counts[s] += mine[s];
  });
  bwt.first[0] = 1;
  bwt.first[4] = bwt.rows;
  for (u32 s = 3; s > 0; --s) bwt.first[s] = bwt.first[s + 1] - counts[s];
}

std::vector<std::array<u64, 4>> piece_starts(const Bwt& bwt, ThreadPool& pool, u64 rows_per_piece) {
  const BwtColumn& column = bwt.columns[0];
  const u64 chunks = chunks_of(bwt.rows), chunks_per_piece = rows_per_piece / 64;
  std::vector<std::array<u64, 4>> starts(chunks / chunks_per_piece + 2);
  pool.parallel_for(chunks, chunks_per_piece, [&](std::size_t begin, std::size_t end) {
    for (u64 c = begin; c < end; ++c) {
      auto& counts = starts[c / chunks_per_piece + 1];
      for (u32 s = 0; s < 4; ++s)
        counts[s] += popcount64(match_column(column.planes[2 * c], column.planes[2 * c + 1], s));
    }
  });
  // `$` is stored as A, and so are the symbols of the last word behind the last row.
  --starts[column.dollar_row / 64 / chunks_per_piece + 1][0];
  starts[(chunks - 1) / chunks_per_piece + 1][0] -= 64 * chunks - bwt.rows;
  for (u32 s = 0; s < 4; ++s) starts[0][s] = bwt.first[s];
  for (std::size_t t = 1; t < starts.size(); ++t)
    for (u32 s = 0; s < 4; ++s) starts[t][s] += starts[t - 1][s];
  return starts;
}

u64 sorting_bytes(u64 bases, bool buckets, int threads) {
  const u64 kept = bases * (bases < kSort64 ? sizeof(u32) : sizeof(u64));
  if (buckets) return kept + bucket_sort_bytes(bases, SuffixEnds::text, threads);
  constexpr u64 kOfDivsufsort = u64{1} << 20;  // buckets of pairs of letters
  const bool narrowed = bases >= WideFrom{}.sorted && bases < WideFrom{}.kept;
  return kept + (narrowed ? bases * sizeof(u64) : 0) + kOfDivsufsort;
}

SuffixArray sort_suffixes(std::span<const u8> text, ThreadPool& pool) {
  constexpr u64 kFewBases = 100'000;  // which libdivsufsort sorts as fast
  if (text.size() >= kFewBases && text.size() < kSort64) {
    require_memory(text.size(), true, pool.size());
    auto positions = huge_vector<u32>(text.size());
    if (sort_in_buckets(text, SuffixEnds::text, positions, pool)) return positions;
  }
  require_memory(text.size(), false, pool.size());
  return sort_by_divsufsort(text);
}

SuffixArray sort_by_divsufsort(std::span<const u8> text, WideFrom wide) {
  try {
    if (text.size() < wide.sorted) {
      std::vector<u32> positions(text.size());
      auto* const sorted = reinterpret_cast<std::int32_t*>(positions.data());
      if (divsufsort(text.data(), sorted, static_cast<std::int32_t>(text.size())) == 0) return positions;
    } else {
      std::vector<std::int64_t> positions(text.size());
      if (divsufsort64(text.data(), positions.data(), static_cast<std::int64_t>(text.size())) == 0) {
        if (text.size() >= wide.kept) return positions;
        return std::vector<u32>(positions.begin(), positions.end());
      }
    }
  } catch (const std::bad_alloc&) {
  }
  throw DoesNotFit(fmt::format("no memory to sort the suffixes of {} bases", text.size()));
}

Bwt bwt_of(std::span<const u8> text, const SuffixArray& suffixes, ThreadPool& pool) {
  return std::visit([&](const auto& positions) { return column_of(text, positions, pool); }, suffixes);
}

Bwt synthetic_bwt(u64 bases, u64 seed, ThreadPool& pool) {
  Bwt bwt;
  bwt.rows = bases + 1;
  BwtColumn column;
  column.planes.resize(2 * chunks_of(bwt.rows));
  pool.parallel_for(column.planes.size(), 2 * kChunksPerTask, [&](std::size_t begin, std::size_t end) {
    Random random(seed, begin);
    for (u64 i = begin; i < end; ++i) column.planes[i] = random();
  });
  column.dollar_row = Random(seed).below(bwt.rows);
  const u64 tail = first_rows(static_cast<u32>((bwt.rows - 1) % 64 + 1));
  for (u32 plane = 0; plane < 2; ++plane) {
    column.planes[column.planes.size() - 2 + plane] &= tail;
    column.planes[column.dollar_row / 64 * 2 + plane] &= ~(u64{1} << (column.dollar_row % 64));
  }
  bwt.columns.push_back(std::move(column));
  count_symbols(bwt, pool);
  return bwt;
}

void derive_columns(Bwt& bwt, u32 k, int threads) {
  ThreadPool pool(threads);
  derive_columns(bwt, k, pool);
}

void derive_columns(Bwt& bwt, u32 k, ThreadPool& pool) {
  if (bwt.columns.size() >= k) return;
  const u64 column_bytes = 2 * chunks_of(bwt.rows) * sizeof(u64);
  require_host_memory((k - bwt.columns.size()) * column_bytes, "the columns of the transform");
  const auto starts = piece_starts(bwt, pool);
  while (bwt.columns.size() < k) {
    const BwtColumn& previous = bwt.columns.back();
    BwtColumn column;
    column.planes.resize(previous.planes.size());
    column.dollar_row = inverse_lf(bwt, starts, previous.dollar_row);
    pool.parallel_for(chunks_of(bwt.rows), kChunksPerTask, [&](std::size_t begin, std::size_t end) {
      derive_chunks(bwt, previous, column, begin, end, starts[begin / kChunksPerTask]);
    });
    bwt.columns.push_back(std::move(column));
  }
}

DollarRows dollar_rows(const Bwt& bwt, u32 k) {
  DollarRows result;
  for (u32 j = 0; j < kMaxK; ++j) {
    result.row[j] = ~u64{0};
    result.word[j] = 0;
    if (j >= k || std::find(result.row, result.row + j, bwt.columns[j].dollar_row) != result.row + j)
      continue;
    result.row[j] = bwt.columns[j].dollar_row;
    for (u32 i = 0; i < k; ++i) result.word[j] |= bwt.columns[i].symbol(result.row[j]) << (2 * i);
  }
  return result;
}

}  // namespace gpuseq::fm_index
