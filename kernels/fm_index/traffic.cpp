#include "kernels/fm_index/traffic.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>

#include "kernels/common/touched_bytes.hpp"
#include "kernels/fm_index/data/elias_fano.hpp"
#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_index/psi_traffic.hpp"
#include "kernels/fm_index/query_order.hpp"
#include "kernels/fm_index/verify_traffic.hpp"
#include "kernels/fm_index/walk.hpp"
#include "runtime/system/random.hpp"

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
    const bool all_rows = rows_read_ == RowsRead::all_rows;
    const Span counted = all_rows ? rows : sectors(touched.counted_at, touched.counted_bytes);
    const bool reads_rows = all_rows || touched.counted_bytes > 0;
    if (both.end - both.begin <= std::max(kOneBlockBytes, rows.end - rows.begin)) {
      Block& block = block_at(both, PartOfEntry::both);
      read(block, counter);
      if (reads_rows) read(block, counted);
    } else {
      read(block_at(counter, PartOfEntry::counters), counter);
      if (reads_rows || rows_read_ == RowsRead::all_of_entry)
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
/// @param all_bytes  of the entries
/// @param rows  of the text
double bytes_of_step(const Layout& layout, double all_bytes, u32 depth, u64 rows, const Strains& strains) {
  // One-hot and Elias-Fano layouts have entries for each word of a step.
  const u32 letters = depth + (layout.one_hot || layout.elias_fano ? layout.k : 0);
  double words = std::exp2(2.0 * letters);
  if (strains.count > 1) words = std::min(words, strains.most_words(rows, letters));
  return std::min(all_bytes, (words + 1) * static_cast<double>(layout.entry_bytes()));
}

/// Of the prefix table the intervals of its words of so many symbols.
double bytes_of_lookups(const Layout& layout, u32 symbols) {
  const std::size_t interval = layout.wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>);
  return std::exp2(2.0 * symbols) * static_cast<double>(interval);
}

/// Of so many bytes, 0 where they are no more than the footprint but for a tenth.
std::size_t spread_of(double bytes, std::size_t footprint) {
  const auto spread = static_cast<std::size_t>(bytes);
  return spread > footprint + footprint / 10 ? spread : 0;
}

std::vector<TrafficClass> classes_of(const ByMemory& memories) {
  std::vector<TrafficClass> classes;
  for (const auto& [bytes, blocks] : memories) {
    const auto footprint =
        std::max(static_cast<std::size_t>(touched_bytes(bytes, blocks.bytes)), kSectorBytes);
    // Of two that are one, the spread of the one that lies in less memory.
    if (!classes.empty() && classes.back().footprint_bytes >= footprint)
      classes.back().blocks += blocks.count;
    else
      classes.push_back({footprint, blocks.count, spread_of(bytes, footprint)});
  }
  return classes;
}

/// Adds up what the steps of searches touch.
class Tally {
 public:
  /// @param all_bytes  of the entries
  Tally(const Layout& layout, u64 all_bytes, RowsRead rows_read, u64 rows, const Strains& strains)
      : layout_(layout), all_bytes_(all_bytes), rows_read_(rows_read), rows_(rows), strains_(strains) {}

  /// What a step by a word that begins `depth` symbols of a query touches for l and for h.
  void step(u32 depth, const Walker::Touched& l, const Walker::Touched& h) {
    StepBlocks step(rows_read_);
    step.add(l);
    step.add(h);
    step.add_to(by_depth_[depth]);
  }

  /// A query whose first so many symbols the prefix table answers.
  void lookup(u32 symbols) {
    if (symbols > 0) ++lookups_[symbols];
  }

  /// @param scale  steps for one that was walked
  /// @param queries  for one that was walked
  Traffic traffic(double scale, double queries) const {
    const auto all_bytes = static_cast<double>(all_bytes_);
    double lookups = 0;
    Blocks walked;
    ByMemory memories;
    for (const auto& [depth, parts] : by_depth_) {
      for (const PartOfEntry part : kAllParts) {
        const Blocks& read = parts[static_cast<std::size_t>(part)];
        if (read.count == 0) continue;
        walked += read;
        memories[bytes_of_step(layout_, all_bytes, depth, rows_, strains_) * share_of(part, layout_)] +=
            {read.count * scale, read.bytes * scale};
      }
    }
    for (const auto& [symbols, walked_queries] : lookups_) {
      const double read = static_cast<double>(walked_queries) * queries;
      memories[bytes_of_lookups(layout_, symbols)] += {read, read * kSectorBytes};
      lookups += read;
    }
    const double mean_bytes = walked.count == 0 ? kSectorBytes : std::round(walked.bytes / walked.count);
    return {.blocks = walked.count * scale + lookups,
            .block_bytes = static_cast<std::size_t>(mean_bytes),
            .footprint_bytes = static_cast<std::size_t>(all_bytes_),
            .access = kAccess,
            .classes = classes_of(memories)};
  }

 private:
  const Layout& layout_;
  u64 all_bytes_;
  RowsRead rows_read_;
  u64 rows_;
  Strains strains_;
  std::map<u32, BlocksOfParts> by_depth_;
  std::map<u32, u64> lookups_;  // by symbols
};

}  // namespace

Traffic count_traffic(const Index& index, const Queries& queries, RowsRead rows_read, u32 most,
                      const Strains& strains) {
  if (index.layout.psi) return count_psi_traffic(index, queries);
  if (index.layout.verify()) return count_verify_traffic(index, queries);
  const Walker walker(index);
  Tally tally(index.layout, index.entries.size(), rows_read, index.view.rows, strains);
  u64 bases = 0;
  const std::vector<u32> walked = checked_queries(queries.begin.size(), most);
  for (const u32 query : walked) {
    bases += queries.bases[query];
    u32 depth = prefix_length(queries.bases[query], index.view.prefix_symbols, index.layout.k);
    if (index.view.prefix_symbols > 0) tally.lookup(depth);
    walker.search(queries.packed.data() + u64{queries.begin[query]} * 4, queries.bases[query],
                  [&](u32 word, u64 l, u64 h) {
                    tally.step(depth, walker.touched(word, l), walker.touched(word, h));
                    depth += index.layout.k;
                  });
  }
  const double scale = bases == 0 ? 0 : static_cast<double>(queries.total_bases) / static_cast<double>(bases);
  return tally.traffic(
      scale,
      walked.empty() ? 0 : static_cast<double>(queries.begin.size()) / static_cast<double>(walked.size()));
}

Traffic expected_sampled_traffic(const Layout& layout, u64 bases, u32 prefix_symbols,
                                 const ExpectedQueries& queries, RowsRead rows_read) {
  constexpr u32 kWalked = 256;  // of queries: their steps come to a few thousand places, which is many enough
  const u64 rows = bases + 1;
  Index index;
  index.layout = layout;
  index.view.rows = rows;
  index.view.prefix_symbols = prefix_symbols;
  const u64 bytes = entries_bytes(layout, rows);
  if (layout.one_hot) index.view.blocks_per_word = bytes / layout.words() / layout.entry_bytes();
  const Walker walker(index);
  const auto touched = [&](u32 word, u64 position) {
    if (!layout.elias_fano) return walker.touched(word, position);
    // Which line it is stands in the index; of equally frequent words they have as many each.
    const u64 line = word * ((rows + layout.d - 1) / layout.d) + position / layout.d;
    return Walker::Touched{line * layout.line_bytes, line * layout.line_bytes, layout.line_bytes,
                           line * layout.line_bytes, layout.line_bytes};
  };
  Tally tally(layout, bytes, rows_read, rows, {});
  Random random(1);
  const u32 walked = static_cast<u32>(std::min<u64>(kWalked, queries.count));
  const u32 opening = prefix_length(queries.bases, prefix_symbols, layout.k);
  for (u32 query = 0; query < walked; ++query) {
    if (prefix_symbols > 0) tally.lookup(opening);
    for (u32 depth = opening; depth < queries.bases; depth += layout.k) {
      const auto word = static_cast<u32>(random.below(layout.words()));
      const double expected = static_cast<double>(rows) * std::exp2(-2.0 * depth);
      const bool occurs = query < walked * queries.occurring_share;
      const u64 width = std::min<u64>(bases, static_cast<u64>(expected) + (occurs ? 1 : 0));
      const u64 l = random.below(rows - width);
      tally.step(depth, touched(word, l), touched(word, l + width));
    }
  }
  const double scale = walked == 0 ? 0 : static_cast<double>(queries.count) / walked;
  return tally.traffic(scale, scale);
}

u32 most_blocks_of_step(const Layout& layout) {
  return !layout.alternate && layout.entry_bytes() <= kOneBlockBytes ? 2 : 4;
}

u64 reference_bases(const StateOutline& state) {
  const u64 asked = static_cast<u64>(state.problem.integer("reference_bases"));
  const u64 held = state.letters("reference", asked == 0 ? kGeneratedBases : asked, {"random", "synthetic"});
  const u64 of_reference = asked == 0 || held == 0 ? held : std::min(asked, held);
  return of_reference * strains_of(state.problem).count;
}

namespace {

TrafficNeeds traffic_needs(Layout layout, const StateOutline& state) {
  const u64 bases = reference_bases(state);
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

}  // namespace

std::string why_neighbours_share(const Point& problem) {
  if (query_order(problem.word("query_order")) != QueryOrder::as_given)
    return "queries in order share what they touch";
  return problem.integer("kmer_bases") > 0 ? "k-mers of a read share what they touch" : "";
}

Needs search_needs(const Layout& layout, const StateOutline& state) {
  const TrafficNeeds traffic = traffic_needs(layout, state);  // throws where there is no such layout
  if (std::string reason = why_neighbours_share(state.problem); !reason.empty())
    return {.reason_for_none = reason + ", which random access does not"};
  return {.traffic = traffic};
}

}  // namespace gpuseq::fm_index
