#include "kernels/fm_index/traffic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "kernels/common/touched_bytes.hpp"
#include "kernels/fm_index/data/elias_fano.hpp"
#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_index/psi_traffic.hpp"
#include "kernels/fm_index/query_order.hpp"
#include "kernels/fm_index/traffic/heat.hpp"
#include "kernels/fm_index/verify_traffic.hpp"
#include "kernels/fm_index/walk.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::fm_index {
namespace {

/// Blocks that are read alike often, by the bytes that they lie in.
using ByMemory = std::map<double, Blocks>;

/// Bytes that a step comes to whose words begin `depth` symbols of a query: so many intervals there are.
/// @param all_bytes  of the entries
/// @param rows  of the text
double bytes_of_step(const Layout& layout, double all_bytes, u32 depth, u64 rows, const Strains& strains) {
  // One-hot and Elias-Fano layouts have entries for each word of a step.
  const u32 letters = depth + (layout.one_hot() || layout.elias_fano() ? layout.k : 0);
  double words = std::exp2(2.0 * letters);
  if (strains.count > 1) words = std::min(words, strains.most_words(rows, letters));
  return std::min(all_bytes, (words + 1) * static_cast<double>(layout.entry_bytes()));
}

/// The intervals of the prefix table of words of so many symbols.
double bytes_of_lookups(const Layout& layout, u32 symbols) {
  const std::size_t interval = layout.wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>);
  return std::exp2(2.0 * symbols) * static_cast<double>(interval);
}

/// The traffic over so many bytes, 0 where they are no more than the footprint but for a tenth.
std::size_t spread_of(double bytes, std::size_t footprint) {
  const auto spread = static_cast<std::size_t>(bytes);
  return spread > footprint + footprint / 10 ? spread : 0;
}

std::vector<TrafficClass> classes_of(const ByMemory& memories) {
  std::vector<TrafficClass> classes;
  for (const auto& [bytes, blocks] : memories) {
    const auto footprint =
        std::max(static_cast<std::size_t>(touched_bytes(bytes, blocks.bytes)), kSectorBytes);
    // If two are one, the spread of the one that lies in less memory.
    if (!classes.empty() && classes.back().footprint_bytes >= footprint)
      classes.back().blocks += blocks.count;
    else
      classes.push_back({footprint, blocks.count, spread_of(bytes, footprint)});
  }
  return classes;
}

/// Adds up the memory that the steps of searches touch.
class Tally {
 public:
  /// @param all_bytes  of the entries
  Tally(const Layout& layout, u64 all_bytes, RowsRead rows_read, u64 rows, const Strains& strains)
      : layout_(layout), all_bytes_(all_bytes), rows_read_(rows_read), rows_(rows), strains_(strains) {}

  /// Symbols of the words whose steps come to all entries by so many intervals that these make none of them
  /// hotter; at most so many.
  u32 first_to_all(u32 most) const {
    constexpr u32 kIntervals = 2;  // 16 and more of an entry
    const auto all_bytes = static_cast<double>(all_bytes_);
    u32 symbols = 0;
    while (symbols < most && bytes_of_step(layout_, all_bytes, symbols, rows_, strains_) < all_bytes)
      ++symbols;
    return symbols + kIntervals;
  }

  /// The memory that steps of words of so many symbols and more visit.
  void take(const Heat& heat, u32 first) {
    heat_from_ = first;
    for (const PartOfEntry part : kAllParts) layers_[static_cast<std::size_t>(part)] = heat.layers(part);
  }

  /// The memory that a step by a word that begins `depth` symbols of a query touches for l and for h.
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
    BlocksOfParts layered;
    for (const auto& [depth, parts] : by_depth_) {
      for (const PartOfEntry part : kAllParts) {
        const auto number = static_cast<std::size_t>(part);
        const Blocks& read = parts[number];
        if (read.count == 0) continue;
        walked += read;
        const Blocks all{read.count * scale, read.bytes * scale};
        if (!layers_[number].empty() && depth >= heat_from_)
          layered[number] += all;
        else
          memories[bytes_of_step(layout_, all_bytes, depth, rows_, strains_) * share_of(part, layout_)] +=
              all;
      }
    }
    for (const PartOfEntry part : kAllParts)
      add_layers(part, layered[static_cast<std::size_t>(part)], memories);
    for (const auto& [symbols, walked_queries] : lookups_) {
      const double read = static_cast<double>(walked_queries) * queries;
      memories[bytes_of_lookups(layout_, symbols)] += {read, read * kSectorBytes};
      lookups += read;
    }
    const double mean_bytes = walked.count == 0 ? kSectorBytes : std::round(walked.bytes / walked.count);
    return {.blocks = walked.count * scale + lookups,
            .block_bytes = static_cast<std::size_t>(mean_bytes),
            .footprint_bytes = static_cast<std::size_t>(all_bytes_),
            .access = kSearchAccess,
            .classes = classes_of(memories)};
  }

 private:
  /// The blocks of a part by the layers of its heat. All of them touch the memory of a layer.
  void add_layers(PartOfEntry part, const Blocks& blocks, ByMemory& memories) const {
    constexpr double kAll = 0.99;
    if (blocks.count == 0) return;
    const double memory = static_cast<double>(all_bytes_) * share_of(part, layout_);
    for (const HeatLayer& layer : layers_[static_cast<std::size_t>(part)])
      memories[layer.blocks > kAll * memory ? memory : layer.blocks] +=
          {layer.share * blocks.count, blocks.bytes};
  }

  const Layout& layout_;
  u64 all_bytes_;
  RowsRead rows_read_;
  u64 rows_;
  Strains strains_;
  u32 heat_from_ = 0;
  std::array<std::vector<HeatLayer>, kAllParts.size()> layers_;  // empty: not counted
  std::map<u32, BlocksOfParts> by_depth_;
  std::map<u32, u64> lookups_;  // by symbols
};

/// How many queries visit the entries so often that it shows which are hot; 0: so many are not, or they are
/// more than are walked for this.
u64 queries_for_heat(const Index& index, const Queries& queries, u64 most_visits) {
  constexpr u64 kLeastVisits = 4, kVisits = 16;  // of an entry
  const u64 count = queries.begin.size(), all_bytes = index.entries.size();
  const u64 opening = count * index.view.prefix_symbols;
  if (queries.total_bases <= opening || all_bytes / kSectorBytes > most_visits) return 0;
  const u64 entries = all_bytes / index.layout.entry_bytes();
  const u64 steps = (queries.total_bases - opening) / index.layout.k;
  const u64 visits = std::min({steps, most_visits, kVisits * entries});
  return visits < kLeastVisits * entries ? 0 : (visits * count + steps - 1) / steps;
}

/// Calls step(symbols of the word before it, blocks of l, blocks of h) for each step of a query.
template <typename Step>
void walk_query(const Index& index, const Walker& walker, const Queries& queries, u32 query,
                const Step& step) {
  u32 depth = prefix_length(queries.bases[query], index.view.prefix_symbols, index.layout.k);
  walker.search(queries.packed.data() + u64{queries.begin[query]} * 4, queries.bases[query],
                [&](u32 word, u64 l, u64 h) {
                  step(depth, walker.touched(word, l), walker.touched(word, h));
                  depth += index.layout.k;
                });
}

void count_heat(const Index& index, const Queries& queries, RowsRead rows_read, const HeatWalk& heat_walk,
                Tally& tally) {
  const u64 count = queries_for_heat(index, queries, heat_walk.most_visits);
  const u32 first = tally.first_to_all(queries.longest);
  if (count == 0 || first >= queries.longest) return;
  const Walker walker(index);
  Heat heat(index.layout, index.entries.size());
  const auto add = [&](u32 depth, const Walker::Touched& l, const Walker::Touched& h) {
    if (depth < first) return;
    StepBlocks step(rows_read);
    step.add(l);
    step.add(h);
    heat.add(step);
  };
  const std::vector<u32> walked = checked_queries(queries.begin.size(), count);
  ThreadPool pool(heat_walk.threads, false);
  pool.parallel_for(walked.size(), piece_size(walked.size(), pool.size(), 64),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i)
                        walk_query(index, walker, queries, walked[i], add);
                    });
  tally.take(heat, first);
}

}  // namespace

Traffic count_traffic(const Index& index, const Queries& queries, RowsRead rows_read, u32 most,
                      const Strains& strains, const HeatWalk& heat_walk) {
  if (index.layout.psi()) return count_psi_traffic(index, queries);
  if (index.layout.verify()) return count_verify_traffic(index, queries);
  const Walker walker(index);
  Tally tally(index.layout, index.entries.size(), rows_read, index.view.rows, strains);
  u64 bases = 0;
  const std::vector<u32> walked = checked_queries(queries.begin.size(), most);
  for (const u32 query : walked) {
    bases += queries.bases[query];
    if (index.view.prefix_symbols > 0)
      tally.lookup(prefix_length(queries.bases[query], index.view.prefix_symbols, index.layout.k));
    walk_query(
        index, walker, queries, query,
        [&](u32 depth, const Walker::Touched& l, const Walker::Touched& h) { tally.step(depth, l, h); });
  }
  count_heat(index, queries, rows_read, heat_walk, tally);
  const double scale = bases == 0 ? 0 : static_cast<double>(queries.total_bases) / static_cast<double>(bases);
  return tally.traffic(
      scale,
      walked.empty() ? 0 : static_cast<double>(queries.begin.size()) / static_cast<double>(walked.size()));
}

u32 most_blocks_of_step(const Layout& layout) {
  return !layout.alternate() && layout.entry_bytes() <= kOneBlockBytes ? 2 : 4;
}

u64 reference_bases(const StateOutline& state) {
  const u64 asked = static_cast<u64>(state.problem.integer("reference_bases"));
  const u64 held = state.letters("reference", asked == 0 ? kGeneratedBases : asked, {"random", "synthetic"});
  const u64 of_reference = asked == 0 || held == 0 ? held : std::min(asked, held);
  return of_reference * strains_of(state.problem).count;
}

std::string why_neighbours_share(const Point& problem) {
  if (query_order(problem.word("query_order")) != QueryOrder::as_given)
    return "queries in order share lines of the index";
  return problem.integer("kmer_bases") > 0 ? "k-mers of a read share lines of the index" : "";
}

std::string why_no_bound(const Point& problem) {
  const std::string reason = why_neighbours_share(problem);
  return reason.empty() ? "" : reason + ", which random accesses do not";
}

u32 most_places_of_mapping(const Layout& layout) {
  if (layout.one_hot() || layout.elias_fano()) return 1;
  const Span rows = sectors(layout.bitmap_offset(), u64{layout.chunks()} * layout.chunk_bytes());
  // Alternate counters may be those of the next entry.
  for (u64 entry = 0; entry <= (layout.alternate() ? 1 : 0); ++entry)
    for (u64 counter = 0; counter < layout.counters(); ++counter)
      if (!is_one_place(sectors(entry * layout.entry_bytes() + 4 * counter, 4), rows)) return 2;
  return 1;
}

}  // namespace gpuseq::fm_index
