#include "kernels/fm_mismatch/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "kernels/common/touched_bytes.hpp"
#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_mismatch/axes.hpp"
#include "kernels/fm_mismatch/data/prefix_table.hpp"
#include "kernels/fm_mismatch/data/searches.cuh"

namespace gpuseq::fm_mismatch {
namespace {

constexpr const char* kAccess = "dependent";
constexpr u32 kMostCounted = 1000;  // queries
constexpr u32 kSectorBytes = 32;    // at least these come with an entry of the prefix table

/// A line, and how many bases were matched when it was read.
struct Read {
  const u8* line;
  u32 depth;
  friend auto operator<=>(const Read&, const Read&) = default;
};

/// Adds the lines among what the searches of one strand of a query have read.
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

/// Of a side, the lines in which intervals of so many bases begin and end.
double bytes_at(double side_bytes, std::size_t depth) {
  return std::min(side_bytes, (std::exp2(2.0 * static_cast<double>(depth)) + 1) * kLineBytes);
}

/// Blocks that are read, by the bytes that they lie in.
struct Blocks {
  double count = 0, bytes = 0;
};
using ByMemory = std::map<double, Blocks>;

/// Of a prefix table, the sectors with words that a text has: those of its queries.
double bytes_of_look_ups(u32 prefix_symbols, u64 bases) {
  return static_cast<double>(std::min(prefix_bytes(prefix_symbols), bases * kSectorBytes));
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
    // Of few queries a launch touches, launch for launch the same, less than all.
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

Needs mismatch_needs(const StateOutline& state) {
  if (std::string reason = fm_index::why_neighbours_share(state.problem); !reason.empty())
    return {.reason_for_none = reason + ", which random access does not"};
  const u64 bases = fm_index::reference_bases(state);
  const u64 table_bytes = prefix_bytes(prefix_symbols_of(state.point));
  return {.traffic =
              TrafficNeeds{.least_block_bytes = kLineBytes,
                           .most_block_bytes = kLineBytes,
                           .access = kAccess,
                           .footprint_bytes = bases == 0 ? 0 : 2 * bytes_of_side(bases) + table_bytes}};
}

}  // namespace gpuseq::fm_mismatch
