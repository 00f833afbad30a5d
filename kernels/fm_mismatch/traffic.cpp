#include "kernels/fm_mismatch/traffic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "kernels/common/touched_bytes.hpp"
#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_locate/text_problem.hpp"
#include "kernels/fm_mismatch/axes.hpp"
#include "kernels/fm_mismatch/data/prefix_table.hpp"
#include "kernels/fm_mismatch/data/searches.cuh"
#include "kernels/fm_mismatch/problem.hpp"

namespace gpuseq::fm_mismatch {
namespace {

constexpr const char* kAccess = "dependent";
constexpr u32 kMostCounted = 1000;  // queries
constexpr u32 kSectorBytes = 32;    // least bytes loaded for an entry of the prefix table

/// A line, and the number of bases matched when it was read.
struct Read {
  const u8* line;
  u32 depth;
  friend auto operator<=>(const Read&, const Read&) = default;
};

/// Adds the distinct lines that the searches of one strand of a query have read.
void add_lines(std::vector<Read>& reads, std::vector<double>& by_depth) {
  std::ranges::sort(reads);
  const auto same_line = [](const Read& one, const Read& other) { return one.line == other.line; };
  reads.erase(std::unique(reads.begin(), reads.end(), same_line), reads.end());
  for (const Read& read : reads) {
    if (read.depth >= by_depth.size()) by_depth.resize(read.depth + 1);
    by_depth[read.depth] += 1;
  }
  reads.clear();
}

template <u32 mismatches>
Touched count(const IndexView& index, const fm_index::Queries& queries, u32 strands, u64 most) {
  const QueriesView view{queries.packed.data(), queries.begin.data(), queries.bases.data()};
  Node waiting[waiting_nodes(mismatches)];
  Searches<mismatches> searches(index, waiting, 1);
  const u8* const forward = index.forward.lines;
  const u64 side_bytes = bytes_of_side(index.rows - u64{1});
  std::vector<Read> of_forward, of_reverse;
  Touched touched;
  u64 bases = 0;
  for (const u32 query : fm_index::checked_queries(queries.begin.size(), kMostCounted)) {
    if (touched.steps >= static_cast<double>(most)) break;
    bases += queries.bases[query];
    for (u32 strand = 0; strand < strands; ++strand) {
      searches.for_each_entry(view, query, strand == 1, [&](const u8*) { touched.look_ups += 1; });
      for (bool more = searches.start(view, query, strand == 1, nullptr); more;
           more = searches.template advance<true>()) {
        touched.steps += 1;
        for (const u8* const line : {searches.first_line(), searches.end_line()}) {
          const bool is_forward = line >= forward && line < forward + side_bytes;
          (is_forward ? of_forward : of_reverse).push_back({line, searches.depth()});
        }
      }
      add_lines(of_forward, touched.forward);
      add_lines(of_reverse, touched.reverse);
    }
  }
  const double scale = bases == 0 ? 0 : static_cast<double>(queries.total_bases) / static_cast<double>(bases);
  touched.steps *= scale;
  touched.look_ups *= scale;
  for (std::vector<double>* const side : {&touched.forward, &touched.reverse})
    for (double& lines : *side) lines *= scale;
  return touched;
}

/// Bytes of the lines of a side in which the intervals of `depth` bases begin and end.
double bytes_at(double side_bytes, std::size_t depth) {
  return std::min(side_bytes, (std::exp2(2.0 * static_cast<double>(depth)) + 1) * kLineBytes);
}

/// Blocks that are read, by the size of the memory that contains them.
struct Blocks {
  double count = 0, bytes = 0;
};
using ByMemory = std::map<double, Blocks>;

/// Bytes of the prefix table's sectors with k-mers that occur in a text, which contain those of its queries.
double bytes_of_look_ups(u32 prefix_symbols, u64 bases) {
  return static_cast<double>(std::min(prefix_bytes(prefix_symbols), bases * kSectorBytes));
}

/// Average lines and entries that the searches of a query's strands read.
struct Reads {
  double of_place = 0;   // on the way to the query's origin, unless other strings occur by chance
  double by_chance = 0;  // the others
  double look_ups = 0;
};

/// A text of seeded bases in which queries are searched for.
struct RandomText {
  double bases = 0;
  double strains = 1, mutations = 0;  // mutations per base between two strains

  /// Expected occurrences of a k-mer of `depth` bases.
  double occurrences(u32 depth) const { return bases / std::exp2(2.0 * depth); }
};

/// Expected number of strings that a search tries, by their mismatches. Follows Searches for random bases,
/// where a string of d bases occurs with a probability of at most n / 4^d.
Reads reads_of_search(const RandomText& text, u32 mismatches, u32 number, u32 bases, u32 prefix_symbols) {
  std::array<u32, kMostMismatches + 1> ends{};  // of its parts, in its order
  for (u32 step = 0, at = 0; step < parts_of(mismatches); ++step) {
    const u32 part = step_of(mismatches, number, step).part;
    at += part_begin(mismatches, bases, part + 1) - part_begin(mismatches, bases, part);
    ends[step] = at;
  }
  Reads reads;
  u32 first = 0;
  if (prefix_symbols > 0 && prefix_symbols <= ends[0]) {
    first = prefix_symbols;
    reads.look_ups = 1;
  }
  // Strings by their mismatches in total and in the current part.
  std::array<std::array<double, kMostMismatches + 1>, kMostMismatches + 1> tried{}, longer{};
  tried[0][0] = 1;
  u32 step = 0;
  for (u32 depth = 0; depth < bases; ++depth) {
    for (; depth == ends[step]; ++step) {
      const u32 least = step_of(mismatches, number, step).least;
      for (auto& by_part : tried) {
        for (u32 of_part = 0; of_part < least; ++of_part) by_part[of_part] = 0;
        by_part[0] = std::accumulate(by_part.begin(), by_part.end(), 0.0);
        std::fill(by_part.begin() + 1, by_part.end(), 0.0);
      }
    }
    double all = 0;
    for (const auto& by_part : tried) all += std::accumulate(by_part.begin(), by_part.end(), 0.0);
    const double exact = tried[0][0], occurrences = text.occurrences(depth), others = text.strains - 1;
    if (depth >= first) {
      const double occurring = std::min(1.0, occurrences);
      const double second_lines = std::min(1.0, 2 * (occurrences + others) / kLineRows);
      // Each further strain is another string after its first difference.
      reads.of_place +=
          exact * (1 - occurring) + 2 * others * std::min({1.0, depth * text.mutations, all - exact});
      reads.by_chance += all * occurring * (1 + second_lines) + exact * (1 - occurring) * second_lines;
    }
    const u32 most = step_of(mismatches, number, step).most;
    longer = tried;
    for (u32 spent = 0; spent < mismatches; ++spent)
      for (u32 of_part = 0; of_part < most; ++of_part)
        longer[spent + 1][of_part + 1] += 3 * tried[spent][of_part];
    tried = longer;
  }
  return reads;
}

/// The blocks of a launch on a text of seeded bases: the mean plus eight standard deviations of the count.
double blocks_at_most(const StateOutline& state, const fm_locate::QueryEstimate& queries) {
  if (queries.searched == 0) return 0;
  const fm_index::Strains strains = fm_index::strains_of(state.problem);
  const RandomText text{.bases = static_cast<double>(fm_index::reference_bases(state)),
                        .strains = static_cast<double>(strains.count),
                        .mutations = 2e-3 * strains.mutations_per_1000};
  const u32 mismatches = mismatches_of(state.problem), strands = strands_of(state.problem);
  const auto longest = static_cast<u32>(queries.total_bases / queries.searched);
  // Short queries try more strings that occur by chance; long queries have more bases. So lengths are
  // compared.
  constexpr u32 kManyMore = 64;
  Reads most;
  for (u32 bases = static_cast<u32>(queries.least_bases); bases <= longest;
       bases = bases < queries.least_bases + kManyMore ? bases + 1 : std::max(longest, bases + 1)) {
    Reads reads;
    for (u32 number = 0; number < searches_of(mismatches); ++number) {
      const Reads more = reads_of_search(text, mismatches, number, bases, prefix_symbols_of(state.point));
      reads.of_place += more.of_place;
      reads.by_chance += more.by_chance;
      reads.look_ups += more.look_ups;
    }
    most = {std::max(most.of_place, reads.of_place), std::max(most.by_chance, reads.by_chance),
            std::max(most.look_ups, reads.look_ups)};
  }
  if (state.problem.integer("occurring_percent") == 0) most.of_place = 0;
  most.by_chance *= strands;
  const double each = most.of_place + most.by_chance + strands * most.look_ups;
  // Nodes occur together with their children, and each reads some lines.
  const double together = 10 * text.strains;
  const double counted = std::clamp(static_cast<double>(kMostSteps) / (each + 1), 1.0,
                                    static_cast<double>(std::min<u64>(queries.searched, kMostCounted)));
  return static_cast<double>(queries.searched) *
         (each + 8 * std::sqrt(together * most.by_chance / counted) + 4 * together / counted);
}

}  // namespace

Touched count_touched(const IndexView& index, const fm_index::Queries& queries, u32 mismatches, u32 strands,
                      u64 most) {
  if (mismatches == 0) return count<0>(index, queries, strands, most);
  return mismatches == 1 ? count<1>(index, queries, strands, most) : count<2>(index, queries, strands, most);
}

Traffic traffic_of(const Touched& touched, u64 bases, u32 prefix_symbols) {
  const auto side_bytes = static_cast<double>(bytes_of_side(bases));
  const auto sides = (touched.forward.empty() ? 0 : 1) + (touched.reverse.empty() ? 0 : 1);
  ByMemory memories;
  for (std::size_t depth = 0; depth < std::max(touched.forward.size(), touched.reverse.size()); ++depth) {
    double lines = 0, bytes = 0;
    for (const std::vector<double>* const side : {&touched.forward, &touched.reverse}) {
      if (depth >= side->size() || (*side)[depth] == 0) continue;
      lines += (*side)[depth];
      bytes += bytes_at(side_bytes, depth);
    }
    if (lines == 0) continue;
    memories[bytes].count += lines;
    memories[bytes].bytes += lines * kLineBytes;
  }
  u64 table_bytes = 0;
  if (touched.look_ups > 0) {
    table_bytes = prefix_bytes(prefix_symbols);
    Blocks& read = memories[bytes_of_look_ups(prefix_symbols, bases)];
    read.count += touched.look_ups;
    read.bytes += touched.look_ups * kSectorBytes;
  }
  Traffic traffic{.blocks = 0,
                  .block_bytes = kLineBytes,
                  .footprint_bytes = static_cast<std::size_t>(side_bytes * std::max(sides, 1)) + table_bytes,
                  .access = kAccess};
  for (const auto& [bytes, read] : memories) {
    traffic.blocks += read.count;
    // With few queries, every launch reads the same part of the memory.
    const auto kept =
        static_cast<std::size_t>(std::max<double>(kLineBytes, touched_bytes(bytes, read.bytes)));
    const auto all = static_cast<std::size_t>(bytes);
    if (!traffic.classes.empty() && traffic.classes.back().footprint_bytes >= kept)
      traffic.classes.back().blocks += read.count;
    else
      traffic.classes.push_back({kept, read.count, all > kept + kept / 10 ? all : 0});
  }
  return traffic;
}

HeldMemory held_memory(u64 bases, u32 prefix_symbols, u64 query_bytes, u64 places) {
  return HeldMemory()
      .add(kIndexPart, 2 * bytes_of_side(bases))
      .add(kPrefixTablePart, prefix_bytes(prefix_symbols))
      .add(kQueriesPart, query_bytes)
      .add(kOutputPart, places * sizeof(Answer));
}

Cost estimated_cost(const StateOutline& state) {
  const u64 bases = fm_index::reference_bases(state);
  const u32 symbols = prefix_symbols_of(state.point), strands = strands_of(state.problem);
  const fm_locate::QueryEstimate queries = fm_locate::estimated_queries(state);
  Cost cost{
      .work = {.amount = static_cast<double>(queries.total_bases) * strands, .unit = fm_index::kQueryBases},
      .why_no_bound = fm_locate::why_no_bound(state.problem)};
  if (bases > 0) cost.held = held_memory(bases, symbols, queries.bytes, queries.searched * strands);
  if (cost.why_no_bound.empty())
    cost.traffic =
        Traffic{.blocks = fm_locate::is_generated(state.problem) ? blocks_at_most(state, queries) : 0,
                .block_bytes = kLineBytes,
                .footprint_bytes = bases == 0 ? 0 : 2 * bytes_of_side(bases) + prefix_bytes(symbols),
                .access = kAccess};
  return cost;
}

}  // namespace gpuseq::fm_mismatch
