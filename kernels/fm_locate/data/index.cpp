#include "kernels/fm_locate/data/index.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <vector>

#include "kernels/fm_index/data/rank.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::fm_locate {
namespace {

constexpr std::size_t kLinesPerTask = std::size_t{1} << 12;

/// The memory layout of a line.
struct alignas(kLineBytes) StoredLine {
  u32 counters[4];
  u64 bits[6];
};
static_assert(sizeof(StoredLine) == kLineBytes);

HugeBuffer make_buffer(u64 bytes) {
  return HugeBuffer(bytes, bytes < u64{2} << 20 ? Pages::small : Pages::huge);
}

/// SA of every row.
template <typename Position>
class Suffixes {
 public:
  explicit Suffixes(const std::vector<Position>& suffixes) : suffixes_(suffixes) {}
  u32 operator[](u64 row) const {
    return row == 0 ? static_cast<u32>(suffixes_.size()) : static_cast<u32>(suffixes_[row - 1]);
  }

 private:
  const std::vector<Position>& suffixes_;
};

void fill_line(StoredLine& line, u64 number, bool marked, const fm_index::Bwt& bwt,
               const fm_index::ColumnRank& rank) {
  const std::vector<u64>& planes = bwt.columns[0].planes;
  const u32 words = 2 * chunks_of_line(marked);
  for (u32 i = 0; i < words; ++i)
    line.bits[i] = number * words + i < planes.size() ? planes[number * words + i] : 0;
  const u64 first = number * rows_of_line(marked);
  for (u32 symbol = 1; symbol < 4; ++symbol) line.counters[symbol] = static_cast<u32>(rank.lf(symbol, first));
  if (!marked) line.counters[0] = static_cast<u32>(rank.lf(0, first)) + (rank.dollar_row() < first ? 1 : 0);
}

/// The rows of a line whose suffixes begin at a multiple of the rate, without row 0, which no walk reaches.
template <typename Position>
std::array<u64, 2> marks_of(u64 number, u32 rate, u64 rows, const Suffixes<Position>& suffixes) {
  std::array<u64, 2> marks{};
  const u64 first = number * rows_of_line(true);
  for (u64 row = std::max<u64>(first, 1); row < std::min<u64>(rows, first + rows_of_line(true)); ++row)
    if (suffixes[row] % rate == 0) marks[(row - first) / 64] |= u64{1} << (row - first) % 64;
  return marks;
}

template <typename Position>
void fill_in_text_order(Index& index, std::span<StoredLine> lines, u32* samples,
                        const Suffixes<Position>& suffixes, ThreadPool& pool) {
  std::vector<u32> before(lines.size() / kLinesPerTask + 2);
  pool.parallel_for(lines.size(), kLinesPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto marks = marks_of(i, index.layout.rate, index.view.rows, suffixes);
      std::ranges::copy(marks, lines[i].bits + 4);
      before[begin / kLinesPerTask + 1] +=
          static_cast<u32>(std::popcount(marks[0]) + std::popcount(marks[1]));
    }
  });
  for (std::size_t task = 1; task < before.size(); ++task) before[task] += before[task - 1];
  pool.parallel_for(lines.size(), kLinesPerTask, [&](std::size_t begin, std::size_t end) {
    u32 next = before[begin / kLinesPerTask];
    for (std::size_t i = begin; i < end; ++i) {
      lines[i].counters[0] = next;
      for (u32 half = 0; half < 2; ++half)
        for (u64 marks = lines[i].bits[4 + half]; marks != 0; marks &= marks - 1)
          samples[next++] =
              suffixes[i * rows_of_line(true) + u64{64} * half + static_cast<u32>(std::countr_zero(marks))];
    }
  });
}

template <typename Position>
void fill_in_row_order(const Index& index, u32* samples, const Suffixes<Position>& suffixes,
                       ThreadPool& pool) {
  const u32 rate = index.layout.rate;
  pool.parallel_for((index.view.rows - 1) / rate + 1, kLinesPerTask * 16,
                    [&](std::size_t begin, std::size_t end) {
                      for (u64 i = begin; i < end; ++i) samples[i] = suffixes[i * rate];
                    });
}

}  // namespace

u64 bytes_of_lines(const Layout& layout, u64 bases) {
  return ((bases + 1) / rows_of_line(layout.marked()) + 1) * kLineBytes;
}
u64 bytes_of_samples(const Layout& layout, u64 bases) {
  // Samples of the suffixes 0 ... n - 1, or of the rows 0 ... n.
  return sizeof(u32) * (layout.marked() ? (bases + layout.rate - 1) / layout.rate : bases / layout.rate + 1);
}

Index build_index(const Layout& layout, const fm_index::Bwt& bwt, const fm_index::ColumnRank& rank,
                  const fm_index::SuffixArray& suffixes, ThreadPool& pool) {
  const auto start = std::chrono::steady_clock::now();
  const u64 bases = bwt.rows - 1;
  const u64 line_bytes = bytes_of_lines(layout, bases), sample_bytes = bytes_of_samples(layout, bases);
  require_host_memory(line_bytes + sample_bytes, "the index");
  Index index;
  index.layout = layout;
  index.lines = make_buffer(line_bytes);
  index.samples = make_buffer(sample_bytes);
  index.view = {.lines = reinterpret_cast<const u8*>(index.lines.data()),
                .samples = reinterpret_cast<const u32*>(index.samples.data()),
                .rows = static_cast<u32>(bwt.rows),
                .dollar_row = static_cast<u32>(rank.dollar_row()),
                .a_base = static_cast<u32>(bwt.first[0] + bwt.first[1] + bwt.first[2] + bwt.first[3]),
                .rate_bits = static_cast<u32>(std::countr_zero(layout.rate))};
  const std::span lines(reinterpret_cast<StoredLine*>(index.lines.data()), line_bytes / kLineBytes);
  u32* const samples = reinterpret_cast<u32*>(index.samples.data());
  pool.parallel_for(lines.size(), kLinesPerTask, [&](std::size_t begin, std::size_t end) {
    for (u64 i = begin; i < end; ++i) fill_line(lines[i], i, layout.marked(), bwt, rank);
  });
  std::visit(
      [&](const auto& positions) {
        const Suffixes of(positions);
        if (layout.marked())
          fill_in_text_order(index, lines, samples, of, pool);
        else
          fill_in_row_order(index, samples, of, pool);
      },
      suffixes);
  index.build_s = seconds_since(start);
  return index;
}

}  // namespace gpuseq::fm_locate
