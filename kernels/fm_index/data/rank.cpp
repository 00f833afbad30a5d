#include "kernels/fm_index/data/rank.hpp"

#include <vector>

namespace gpuseq::fm_index {
namespace {

constexpr u64 kLinesPerTask = u64{1} << 13;

}  // namespace

ColumnRank::ColumnRank(const Bwt& bwt, ThreadPool& pool)
    : buffer_((bwt.rows / kRows + 1) * sizeof(Line)),
      rows_(bwt.rows),
      dollar_row_(bwt.columns[0].dollar_row) {
  const std::vector<u64>& planes = bwt.columns[0].planes;
  Line* out = reinterpret_cast<Line*>(buffer_.data());
  const u64 line_count = rows_ / kRows + 1;
  const auto word = [&](u64 i) { return i < planes.size() ? planes[i] : 0; };
  const auto add = [](const Line& line, u64* counts) {
    for (u32 s = 0; s < 4; ++s)
      for (u32 half = 0; half < 2; ++half)
        counts[s] += popcount64(match_column(line.low[half], line.high[half], s));
  };

  std::vector<std::array<u64, 4>> starts(line_count / kLinesPerTask + 2);
  pool.parallel_for(line_count, kLinesPerTask, [&](std::size_t begin, std::size_t end) {
    for (u64 i = begin; i < end; ++i) {
      for (u64 half = 0; half < 2; ++half) {
        out[i].low[half] = word(4 * i + 2 * half);
        out[i].high[half] = word(4 * i + 2 * half + 1);
      }
      add(out[i], starts[begin / kLinesPerTask + 1].data());
    }
  });
  --starts[dollar_row_ / kRows / kLinesPerTask + 1][0];  // `$` is stored as A
  for (u32 s = 0; s < 4; ++s) starts[0][s] = bwt.first[s];
  for (std::size_t t = 1; t < starts.size(); ++t)
    for (u32 s = 0; s < 4; ++s) starts[t][s] += starts[t - 1][s];

  pool.parallel_for(line_count, kLinesPerTask, [&](std::size_t begin, std::size_t end) {
    std::array<u64, 4> counts = starts[begin / kLinesPerTask];
    for (u64 i = begin; i < end; ++i) {
      std::copy(counts.begin(), counts.end(), out[i].lf);
      add(out[i], counts.data());
      if (dollar_row_ / kRows == i) --counts[0];
    }
  });
}

}  // namespace gpuseq::fm_index
