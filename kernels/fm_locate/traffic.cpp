#include "kernels/fm_locate/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/common/touched_bytes.hpp"
#include "kernels/fm_index/problem.hpp"

namespace gpuseq::fm_locate {
namespace {

constexpr u32 kSamplesOfBlock = 16;

/// The lines and samples of the rows of one query, and the steps of their walks.
class QueryTouches {
 public:
  explicit QueryTouches(const Index& index) : index_(index.view), marked_(index.layout.marked()) {}

  void add_walk(u32 row) {
    if (marked_)
      walk_marked(row);
    else
      walk_unmarked(row);
  }
  void end_query(Touched& touched) {
    touched.lines += distinct(lines_);
    touched.samples += distinct(samples_);
  }
  u64 steps() const { return steps_; }

 private:
  void walk_marked(u32 row) {
    while (true) {
      lines_.push_back(row / Line<true>::rows);
      const auto line = Line<true>::load<true>(index_, row);
      if (line.has_sample(row)) return samples_.push_back(line.sample(row) / kSamplesOfBlock);
      row = line.lf(index_, row);
      ++steps_;
    }
  }
  void walk_unmarked(u32 row) {
    const u32 rate = 1u << index_.rate_bits;
    for (; row % rate != 0; ++steps_) {
      if (row == index_.dollar_row) return;
      lines_.push_back(row / Line<false>::rows);
      row = Line<false>::load<true>(index_, row).lf(index_, row);
    }
    samples_.push_back((row >> index_.rate_bits) / kSamplesOfBlock);
  }
  static double distinct(std::vector<u32>& numbers) {
    std::ranges::sort(numbers);
    const auto unique = std::unique(numbers.begin(), numbers.end()) - numbers.begin();
    numbers.clear();
    return static_cast<double>(unique);
  }

  const IndexView& index_;
  bool marked_;
  std::vector<u32> lines_, samples_;
  u64 steps_ = 0;
};

/// What walks read: without steps, samples only.
u64 read_bytes(const Layout& layout, u64 bases) {
  return bytes_of_samples(layout, bases) + (layout.rate == 1 ? 0 : bytes_of_lines(layout, bases));
}

const char* access_of(const Layout& layout) {
  return layout.rate == 1 ? "independent" : "dependent";
}

}  // namespace

Touched count_touched(const Index& index, const Occurrences& occurrences, u64 most) {
  const u64 total = occurrences.total(), queries = occurrences.query.size();
  Touched touched;
  if (total == 0) return touched;
  const u64 every = std::max<u64>(1, total / most);
  QueryTouches walks(index);
  u64 walked = 0;
  for (u64 query = 0; query < queries; query += every) {
    const u32 count = occurrences.begin[query + 1] - occurrences.begin[query];
    for (u32 i = 0; i < count; ++i) walks.add_walk(occurrences.first_row[query] + i);
    walks.end_query(touched);
    walked += count;
  }
  const double scale = static_cast<double>(total) / static_cast<double>(walked);
  touched.lines *= scale;
  touched.samples *= scale;
  touched.steps_per_position = static_cast<double>(walks.steps()) / static_cast<double>(walked);
  return touched;
}

Traffic traffic_of(const Touched& touched, const Layout& layout, u64 bases, u32 sample_bytes) {
  const u64 bytes = read_bytes(layout, bases);
  Traffic traffic{.blocks = touched.lines + touched.samples,
                  .block_bytes = sample_bytes,
                  .footprint_bytes = static_cast<std::size_t>(bytes),
                  .access = access_of(layout)};
  if (traffic.blocks == 0) return traffic;
  const double read = touched.lines * kLineBytes + touched.samples * sample_bytes;
  traffic.block_bytes = static_cast<std::size_t>(std::round(read / traffic.blocks));
  const auto kept = std::max<std::size_t>(
      kLineBytes, static_cast<std::size_t>(touched_bytes(static_cast<double>(bytes), read)));
  traffic.classes = {{.footprint_bytes = kept,
                      .blocks = traffic.blocks,
                      .spread_bytes = bytes > kept + kept / 10 ? static_cast<std::size_t>(bytes) : 0}};
  return traffic;
}

Needs locate_needs(const Layout& layout, u32 sample_bytes, const StateOutline& state) {
  if (std::string reason = fm_index::why_neighbours_share(state.problem); !reason.empty())
    return {.reason_for_none = reason + ", which random access does not"};
  const u64 bases = fm_index::reference_bases(state);
  return {.traffic = TrafficNeeds{.least_block_bytes = sample_bytes,
                                  .most_block_bytes = layout.rate == 1 ? sample_bytes : kLineBytes,
                                  .access = access_of(layout),
                                  .footprint_bytes = bases == 0 ? 0 : read_bytes(layout, bases)}};
}

}  // namespace gpuseq::fm_locate
