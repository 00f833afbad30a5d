#include "kernels/fm_index/traffic.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>

#include "kernels/fm_index/data/elias_fano.hpp"
#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_index/psi_traffic.hpp"
#include "kernels/fm_index/verify_traffic.hpp"
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

/// Where in entries a block lies: the counter and the rows together, or one of them where they lie apart.
enum class PartOfEntry : u8 { both, counters, rows };
constexpr std::array kAllParts{PartOfEntry::both, PartOfEntry::counters, PartOfEntry::rows};

struct Blocks {
  double count = 0, bytes = 0;
  Blocks& operator+=(const Blocks& other) {
    count += other.count;
    bytes += other.bytes;
    return *this;
  }
};

using BlocksOfParts = std::array<Blocks, kAllParts.size()>;

/// Distinct blocks of one step, at most four.
class StepBlocks {
 public:
  explicit StepBlocks(RowsRead rows_read) : rows_read_(rows_read) {}

  void add(const Walker::Touched& touched) {
    const Span counter = sectors(touched.counter_at, 4), rows = sectors(touched.rows_at, touched.rows_bytes);
    const Span both{std::min(counter.begin, rows.begin), std::max(counter.end, rows.end)};
    const Span counted = sectors(touched.counted_at, touched.counted_bytes);
    if (both.end - both.begin <= std::max(kOneBlockBytes, rows.end - rows.begin)) {
      Block& block = block_at(both, PartOfEntry::both);
      read(block, counter);
      if (touched.counted_bytes > 0) read(block, counted);
    } else {
      read(block_at(counter, PartOfEntry::counters), counter);
      if (touched.counted_bytes > 0 || rows_read_ == RowsRead::all_of_entry)
        read(block_at(rows, PartOfEntry::rows), counted);
    }
  }
  void add_to(BlocksOfParts& parts) const {
    for (std::size_t i = 0; i < count_; ++i)
      parts[static_cast<std::size_t>(blocks_[i].part)] += {1, bytes_of(blocks_[i])};
  }

 private:
  struct Block {
    Span span;
    PartOfEntry part;
    u64 read;  // bit i: sector i of the span
  };

  Block& block_at(const Span& span, PartOfEntry part) {
    for (std::size_t i = 0; i < count_; ++i)
      if (blocks_[i].span == span) return blocks_[i];
    blocks_[count_] = {span, part, 0};
    return blocks_[count_++];
  }
  static void read(Block& block, const Span& sectors) {
    for (u64 at = sectors.begin; at < sectors.end; at += kSectorBytes)
      block.read |= u64{1} << (at - block.span.begin) / kSectorBytes;
  }
  double bytes_of(const Block& block) const {
    if (rows_read_ == RowsRead::all_of_entry) return static_cast<double>(block.span.end - block.span.begin);
    return static_cast<double>(kSectorBytes) * std::popcount(block.read);
  }

  RowsRead rows_read_;
  std::array<Block, 4> blocks_{};
  std::size_t count_ = 0;
};

/// Blocks that are read alike often, by the bytes that they lie in.
using ByMemory = std::map<double, Blocks>;

/// What a part is of an entry of a sampled layout.
double share_of(PartOfEntry part, const Layout& layout) {
  if (part == PartOfEntry::both) return 1;
  const double rows =
      static_cast<double>(layout.chunks() * layout.chunk_bytes()) / static_cast<double>(layout.entry_bytes());
  return part == PartOfEntry::rows ? rows : 1 - rows;
}

/// Bytes that a step comes to whose words begin `depth` symbols of a query: so many intervals there are.
double bytes_of_step(const Index& index, u32 depth) {
  // One-hot and Elias-Fano layouts have entries for each word of a step.
  const bool by_word = index.layout.one_hot || index.layout.elias_fano;
  const u32 letters = depth + (by_word ? index.layout.k : 0);
  const auto all = static_cast<double>(index.entries.size());
  return std::min(all, (std::exp2(2.0 * letters) + 1) * static_cast<double>(index.layout.entry_bytes()));
}

/// Of the prefix table the intervals of its longest words, which all queries that are as long read.
double bytes_of_lookups(const Index& index) {
  const std::size_t interval = index.layout.wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>);
  return std::exp2(2.0 * index.view.prefix_symbols) * static_cast<double>(interval);
}

/// What so many bytes read in blocks at random places touch, launch for launch the same.
double touched_bytes(double bytes, const Blocks& blocks) {
  return -bytes * std::expm1(-blocks.bytes / bytes);
}

std::vector<TrafficClass> classes_of(const ByMemory& memories) {
  std::vector<TrafficClass> classes;
  for (const auto& [bytes, blocks] : memories) {
    const auto footprint = static_cast<std::size_t>(touched_bytes(bytes, blocks));
    if (!classes.empty() && classes.back().footprint_bytes >= footprint)
      classes.back().blocks += blocks.count;
    else
      classes.push_back({std::max(footprint, kSectorBytes), blocks.count});
  }
  return classes;
}

}  // namespace

Traffic count_traffic(const Index& index, const Queries& queries, RowsRead rows_read, u32 most) {
  if (index.layout.psi) return count_psi_traffic(index, queries);
  if (index.layout.verify()) return count_verify_traffic(index, queries);
  const Walker walker(index);
  u64 bases = 0;
  std::map<u32, BlocksOfParts> by_depth;
  for (u32 query : checked_queries(queries.begin.size(), most)) {
    bases += queries.bases[query];
    u32 depth = prefix_length(queries.bases[query], index.view.prefix_symbols, index.layout.k);
    walker.search(queries.packed.data() + u64{queries.begin[query]} * 4, queries.bases[query],
                  [&](u32 word, u64 l, u64 h) {
                    StepBlocks step(rows_read);
                    step.add(walker.touched(word, l));
                    step.add(walker.touched(word, h));
                    step.add_to(by_depth[depth]);
                    depth += index.layout.k;
                  });
  }
  const double scale = bases == 0 ? 0 : static_cast<double>(queries.total_bases) / static_cast<double>(bases);
  Blocks walked;
  ByMemory memories;
  for (const auto& [depth, parts] : by_depth) {
    for (const PartOfEntry part : kAllParts) {
      const Blocks& read = parts[static_cast<std::size_t>(part)];
      if (read.count == 0) continue;
      walked += read;
      memories[bytes_of_step(index, depth) * share_of(part, index.layout)] +=
          {read.count * scale, read.bytes * scale};
    }
  }
  const double lookups = index.view.prefix_symbols > 0 ? static_cast<double>(queries.begin.size()) : 0;
  if (lookups > 0) memories[bytes_of_lookups(index)] += {lookups, lookups * kSectorBytes};
  const double mean_bytes = walked.count == 0 ? kSectorBytes : std::round(walked.bytes / walked.count);
  return {.blocks = walked.count * scale + lookups,
          .block_bytes = static_cast<std::size_t>(mean_bytes),
          .footprint_bytes = index.entries.size(),
          .access = kAccess,
          .classes = classes_of(memories)};
}

u32 most_blocks_of_step(const Layout& layout) {
  return !layout.alternate && layout.entry_bytes() <= kOneBlockBytes ? 2 : 4;
}

TrafficNeeds traffic_needs(Layout layout, const StateOutline& state) {
  const u64 asked = static_cast<u64>(state.problem.integer("reference_bases"));
  const u64 held = state.letters("reference", asked == 0 ? kGeneratedBases : asked, {"random", "synthetic"});
  const u64 bases = asked == 0 || held == 0 ? held : std::min(asked, held);
  if (layout.psi) return psi_traffic_needs(layout, bases);
  if (layout.verify())
    return verify_traffic_needs(layout, bases, state.problem.word("reference") == "synthetic");
  if (layout.elias_fano)
    return {.least_block_bytes = layout.line_bytes,
            .most_block_bytes = layout.line_bytes,
            .access = kAccess,
            .footprint_bytes = bases == 0 ? 0 : elias_fano_bytes_at_most(layout, bases + 1)};
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
