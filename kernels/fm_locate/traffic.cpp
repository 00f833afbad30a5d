#include "kernels/fm_locate/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/common/touched_bytes.hpp"
#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_locate/text_problem.hpp"

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

/// Size of the data that walks read; without steps that is the samples.
u64 read_bytes(const Layout& layout, u64 bases) {
  return bytes_of_samples(layout, bases) + (layout.rate == 1 ? 0 : bytes_of_lines(layout, bases));
}

const char* access_of(const Layout& layout) {
  return layout.rate == 1 ? "independent" : "dependent";
}

// Estimates of random numbers are the mean plus eight standard deviations.
constexpr double kDeviations = 8;

/// Hits of queries taken from the text, at their origin: in all strains that contain them.
double copies_of(const StateOutline& state, const QueryEstimate& queries) {
  const double percent = static_cast<double>(state.problem.integer("occurring_percent"));
  const fm_index::Strains strains = fm_index::strains_of(state.problem);
  const auto searched = static_cast<double>(queries.searched);
  const auto reads = static_cast<double>(std::max<u64>(queries.reads, 1));
  // The numbers of reads that occur, and of those that have an N, are rounded.
  const double occurring =
      percent == 0 ? 0 : std::min(searched, searched * percent / 100 + 2 * searched / reads);
  const auto length = static_cast<double>(queries.least_bases);
  const double kept = std::pow(1 - 1e-3 * strains.mutations_per_1000, length);
  // Queries of the same place have the same strains.
  const double places =
      static_cast<double>(fm_index::reference_bases(state) / strains.count) / std::max(1.0, length) + 1;
  const double independent = std::min(reads, places);
  const double share = kept + kDeviations * std::sqrt(kept / independent) + 4 / independent;
  return occurring * (1 + (static_cast<double>(strains.count) - 1) * std::min(1.0, share));
}

/// Random hits elsewhere.
double chance_hits(const StateOutline& state, const QueryEstimate& queries, double bases, bool both_strands) {
  const auto length = static_cast<double>(queries.least_bases),
             searched = static_cast<double>(queries.searched);
  const auto strains = static_cast<double>(fm_index::strains_of(state.problem).count);
  const double words = std::exp2(2 * length);
  double of_query = bases / words;
  // Some queries are their own reverse complements, or overlap them.
  if (both_strands) of_query += bases / words + 4 * strains / std::exp2(length);
  const double mean = searched * of_query;
  // Hits of k-mers of a read, of equal queries and of strains are correlated. A k-mer may overlap itself.
  const double together =
      strains * searched / std::min(static_cast<double>(std::max<u64>(queries.reads, 1)), words);
  return mean + kDeviations * std::sqrt(2 * mean * together) + 4 * together;
}

/// An upper estimate of the lines that walks read. In the order of the text, all numbers of steps below the
/// rate are equally likely. In the order of rows, a walk ends at each row with probability 1 / rate.
double lines_at_most(const StateOutline& state, const Layout& layout, double positions) {
  if (layout.rate == 1 || positions == 0) return 0;
  const double all = positions * layout.rate;
  // Walks of the same place in all strains are alike. For many positions, count_touched() counts at least
  // half of its limit.
  const auto places = static_cast<double>(fm_index::reference_bases(state));
  const auto strains = static_cast<double>(fm_index::strains_of(state.problem).count);
  const double walks = std::clamp(std::min(positions, places) / strains, 1.0, 25'000.0);
  if (layout.in_text_order)
    return all * std::min(1.0, 0.5 + 0.5 / layout.rate + kDeviations / std::sqrt(12 * walks));
  return all * (1 + std::sqrt(32 / walks) + 16 / walks);  // the tail of a gamma distribution: e^-16
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

HeldMemory held_memory(const Layout& layout, u64 bases, u64 entries, u64 positions) {
  return HeldMemory()
      .add(kIndexPart, bytes_of_lines(layout, bases))
      .add(kSamplesPart, bytes_of_samples(layout, bases))
      .add(kRowsPart, (2 * entries + 1) * sizeof(u32))
      .add(kOutputPart, positions * sizeof(u32));
}

double estimated_positions(const StateOutline& state) {
  const auto bases = static_cast<double>(fm_index::reference_bases(state));
  const QueryEstimate queries = estimated_queries(state);
  const bool both = strands_of(state.problem) == Strands::both;
  const auto searched = static_cast<double>(queries.searched);
  const auto max_hits = static_cast<double>(state.problem.integer("max_hits"));
  const double of_strand = max_hits == 0 ? bases : std::min(bases, max_hits);
  const double most =
      std::min(searched * (both ? 2 : 1) * of_strand, double{std::numeric_limits<u32>::max()});
  if (most == 0 || !is_generated(state.problem)) return most;
  return std::min(most, std::ceil(copies_of(state, queries) + chance_hits(state, queries, bases, both)));
}

Cost estimated_cost(const Layout& layout, u32 sample_bytes, const StateOutline& state) {
  const u64 bases = fm_index::reference_bases(state);
  const double positions = estimated_positions(state);
  const bool known = is_generated(state.problem);
  Cost cost{.work = {.amount = known ? positions : 0, .unit = kPositions},
            .why_no_bound = why_no_bound(state.problem)};
  const u64 entries =
      estimated_queries(state).searched * (strands_of(state.problem) == Strands::both ? 2 : 1);
  if (bases > 0) cost.held = held_memory(layout, bases, entries, static_cast<u64>(positions));
  if (cost.why_no_bound.empty())
    cost.traffic = Traffic{.blocks = known ? lines_at_most(state, layout, positions) + positions : 0,
                           .block_bytes = layout.rate == 1 ? sample_bytes : kLineBytes,
                           .least_block_bytes = sample_bytes,
                           .footprint_bytes = bases == 0 ? 0 : read_bytes(layout, bases),
                           .access = access_of(layout)};
  return cost;
}

}  // namespace gpuseq::fm_locate
