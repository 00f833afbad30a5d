#include "kernels/fm_index/oracle.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "runtime/system/random.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr std::size_t kQueriesPerTask = 256;

/// Base i of a packed query in the order of the text.
u8 text_order(const Queries& queries, u32 query, u64 i) {
  const u64 at = queries.bases[query] - 1 - i;
  return queries.packed[u64{queries.begin[query]} * 4 + at / 16] >> (2 * (at % 16)) & 3;
}

template <typename Position>
Interval<u64> find(std::span<const u8> text, const std::vector<Position>& suffixes,
                   std::span<const u8> query) {
  if (query.empty()) return {0, text.size() + 1};
  const auto head = [&](Position start) {
    const auto at = static_cast<std::size_t>(start);
    return text.subspan(at, std::min(query.size(), text.size() - at));
  };
  // A suffix that ends within the query is smaller than it: the end is `$`. std::lexicographical_compare
  // orders a proper prefix first, which is the same.
  const auto smaller = [&](Position start) {
    return std::ranges::lexicographical_compare(head(start), query);
  };
  const auto not_larger = [&](Position start) {
    return !std::ranges::lexicographical_compare(query, head(start));
  };
  const auto low = std::partition_point(suffixes.begin(), suffixes.end(), smaller);
  const auto high = std::partition_point(low, suffixes.end(), not_larger);
  return {static_cast<u64>(low - suffixes.begin()) + 1, static_cast<u64>(high - suffixes.begin()) + 1};
}

/// How often each symbol is in a column before a row.
class SymbolCounts {
 public:
  SymbolCounts(const BwtColumn& column, u64 rows) : column_(column), before_(rows / kSpacing + 1) {
    std::array<u64, 4> counts{};
    for (u64 row = 0; row < rows; row += 64) {
      if (row % kSpacing == 0) before_[row / kSpacing] = counts;
      for (u32 s = 0; s < 4; ++s) counts[s] += static_cast<u64>(std::popcount(rows_with(s, row / 64)));
    }
    if (rows % kSpacing == 0) before_[rows / kSpacing] = counts;
  }

  u64 count(u32 symbol, u64 row) const {
    u64 total = before_[row / kSpacing][symbol];
    for (u64 chunk = row / kSpacing * (kSpacing / 64); chunk < row / 64; ++chunk)
      total += static_cast<u64>(std::popcount(rows_with(symbol, chunk)));
    if (row % 64 != 0)
      total += static_cast<u64>(std::popcount(rows_with(symbol, row / 64) << (64 - row % 64)));
    return total;
  }

 private:
  static constexpr u64 kSpacing = 512;

  u64 rows_with(u32 symbol, u64 chunk) const {
    const u64 low = column_.planes[2 * chunk], high = column_.planes[2 * chunk + 1];
    u64 rows = ((symbol & 1) != 0 ? low : ~low) & ((symbol & 2) != 0 ? high : ~high);
    if (column_.dollar_row / 64 == chunk) rows &= ~(u64{1} << (column_.dollar_row % 64));
    return rows;
  }

  const BwtColumn& column_;
  std::vector<std::array<u64, 4>> before_;
};

}  // namespace

std::vector<u32> checked_queries(u64 packed, u64 most) {
  std::vector<u32> result(std::min(packed, most));
  Random random(1);
  for (u64 i = 0; i < result.size(); ++i) {
    const u64 begin = i * packed / result.size(), end = (i + 1) * packed / result.size();
    result[i] = static_cast<u32>(begin + random.below(end - begin));
  }
  return result;
}

std::vector<Interval<u64>> search_suffixes(std::span<const u8> text, const SuffixArray& suffixes,
                                           const Queries& queries, std::span<const u32> checked,
                                           ThreadPool& pool) {
  std::vector<Interval<u64>> result(checked.size());
  pool.parallel_for(checked.size(), kQueriesPerTask, [&](std::size_t begin, std::size_t end) {
    std::vector<u8> query;
    for (std::size_t i = begin; i < end; ++i) {
      query.resize(queries.bases[checked[i]]);
      for (u64 b = 0; b < query.size(); ++b) query[b] = text_order(queries, checked[i], b);
      result[i] = std::visit([&](const auto& positions) { return find(text, positions, query); }, suffixes);
    }
  });
  return result;
}

std::vector<Interval<u64>> search_column(const Bwt& bwt, const Queries& queries, std::span<const u32> checked,
                                         ThreadPool& pool) {
  const SymbolCounts counts(bwt.columns[0], bwt.rows);
  std::vector<Interval<u64>> result(checked.size());
  pool.parallel_for(checked.size(), kQueriesPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      u64 l = 0, h = bwt.rows;
      for (u64 b = queries.bases[checked[i]]; b-- > 0;) {
        const u32 symbol = text_order(queries, checked[i], b);
        l = bwt.first[symbol] + counts.count(symbol, l);
        h = bwt.first[symbol] + counts.count(symbol, h);
      }
      result[i] = {l, h};
    }
  });
  return result;
}

}  // namespace gpuseq::fm_index
