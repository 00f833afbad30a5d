#include "kernels/fm_index/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_index/walk.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr const char* kAccess = "dependent";  // the next entry is found by this one's counters
constexpr std::size_t kSectorBytes = 32;
constexpr u64 kOneBlockBytes = 128;  // memory fetches this much at one place about as fast as one sector

/// Whole sectors of an index.
struct Span {
  u64 begin, end;
  friend bool operator==(const Span&, const Span&) = default;
};

Span sectors(u64 at, u64 bytes) {
  return {at / kSectorBytes * kSectorBytes, (at + bytes + kSectorBytes - 1) / kSectorBytes * kSectorBytes};
}

/// Distinct blocks of one step, at most four.
class StepBlocks {
 public:
  void add(const Walker::Touched& touched) {
    const Span counter = sectors(touched.counter_at, 4), rows = sectors(touched.rows_at, touched.rows_bytes);
    const Span both{std::min(counter.begin, rows.begin), std::max(counter.end, rows.end)};
    if (both.end - both.begin <= std::max(kOneBlockBytes, rows.end - rows.begin)) {
      add(both);
    } else {
      add(counter);
      add(rows);
    }
  }
  u64 count() const { return count_; }
  u64 bytes() const { return bytes_; }

 private:
  void add(const Span& span) {
    if (std::find(spans_, spans_ + count_, span) != spans_ + count_) return;
    spans_[count_++] = span;
    bytes_ += span.end - span.begin;
  }
  Span spans_[4]{};
  u64 count_ = 0, bytes_ = 0;
};

/// Blocks that are read alike often, by the bytes that they lie in.
using ByMemory = std::map<double, double>;

/// Bytes that a step comes to whose words begin `depth` symbols of a query: so many intervals there are.
double bytes_of_step(const Index& index, u32 depth) {
  // One-hot layouts have entries for each word of a step.
  const u32 letters = depth + (index.layout.one_hot ? index.layout.k : 0);
  const auto all = static_cast<double>(index.entries.size());
  return std::min(all, (std::exp2(2.0 * letters) + 1) * static_cast<double>(index.layout.entry_bytes()));
}

/// Of the prefix table the intervals of its longest words, which all queries that are as long read.
double bytes_of_lookups(const Index& index) {
  const std::size_t interval = index.layout.wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>);
  return std::exp2(2.0 * index.view.prefix_symbols) * static_cast<double>(interval);
}

/// The part of so many bytes that so many blocks at random places touch, launch for launch the same.
double touched_bytes(double bytes, double blocks, double block_bytes) {
  return -bytes * std::expm1(-blocks * block_bytes / bytes);
}

std::vector<TrafficClass> classes_of(const ByMemory& memories, double block_bytes) {
  std::vector<TrafficClass> classes;
  for (const auto& [bytes, blocks] : memories) {
    const auto footprint = static_cast<std::size_t>(touched_bytes(bytes, blocks, block_bytes));
    if (!classes.empty() && classes.back().footprint_bytes >= footprint)
      classes.back().blocks += blocks;
    else
      classes.push_back({std::max(footprint, kSectorBytes), blocks});
  }
  return classes;
}

}  // namespace

Traffic count_traffic(const Index& index, const Queries& queries, u32 most) {
  const Walker walker(index);
  u64 blocks = 0, bytes = 0, bases = 0;
  std::map<u32, u64> by_depth;
  for (u32 query : checked_queries(queries.begin.size(), most)) {
    bases += queries.bases[query];
    u32 depth = prefix_length(queries.bases[query], index.view.prefix_symbols, index.layout.k);
    walker.search(queries.packed.data() + u64{queries.begin[query]} * 4, queries.bases[query],
                  [&](u32 word, u64 l, u64 h) {
                    StepBlocks step;
                    step.add(walker.touched(word, l));
                    step.add(walker.touched(word, h));
                    blocks += step.count();
                    bytes += step.bytes();
                    by_depth[depth] += step.count();
                    depth += index.layout.k;
                  });
  }
  const double scale = bases == 0 ? 0 : static_cast<double>(queries.total_bases) / static_cast<double>(bases);
  const double lookups = index.view.prefix_symbols > 0 ? static_cast<double>(queries.begin.size()) : 0;
  const u64 mean_bytes = blocks == 0 ? kSectorBytes : (bytes + blocks / 2) / blocks;
  ByMemory memories;
  for (const auto& [depth, of_depth] : by_depth)
    memories[bytes_of_step(index, depth)] += static_cast<double>(of_depth) * scale;
  if (lookups > 0) memories[bytes_of_lookups(index)] += lookups;
  return {.blocks = static_cast<double>(blocks) * scale + lookups,
          .block_bytes = static_cast<std::size_t>(mean_bytes),
          .footprint_bytes = index.entries.size(),
          .access = kAccess,
          .classes = classes_of(memories, static_cast<double>(mean_bytes))};
}

u32 most_blocks_of_step(const Layout& layout) {
  return !layout.alternate && layout.entry_bytes() <= kOneBlockBytes ? 2 : 4;
}

TrafficNeeds traffic_needs(Layout layout, const StateOutline& state) {
  const u64 asked = static_cast<u64>(state.problem.integer("reference_bases"));
  const u64 held = state.letters("reference", asked == 0 ? kGeneratedBases : asked, {"random", "synthetic"});
  const u64 bases = asked == 0 || held == 0 ? held : std::min(asked, held);
  layout.wide = bases + 1 >= u64{1} << 32;
  // With alternate counters a counter may be in the next entry.
  const u64 whole = u64{layout.entry_bytes()} * (layout.alternate ? 2 : 1);
  const u64 rows = layout.one_hot ? whole : u64{layout.chunks()} * layout.chunk_bytes() + kSectorBytes / 2;
  const u64 longest = std::max(kOneBlockBytes, (rows + kSectorBytes - 1) / kSectorBytes * kSectorBytes);
  return {.least_block_bytes = kSectorBytes,
          .most_block_bytes = static_cast<std::size_t>(std::min(whole, longest)),
          .access = kAccess,
          .footprint_bytes = bases == 0 ? 0 : entries_bytes(layout, bases + 1)};
}

}  // namespace gpuseq::fm_index
