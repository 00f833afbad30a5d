#pragma once

#include <span>
#include <vector>

#include "kernels/fm_index/data/queries.hpp"
#include "kernels/fm_locate/data/line.cuh"
#include "runtime/system/threads.hpp"

namespace gpuseq::fm_index {
class ColumnRank;
}

namespace gpuseq::fm_locate {

enum class Strand : u8 { forward, reverse };
/// The strands on which queries are searched: forward, or forward and reverse complement.
enum class Strands : u8 { forward, both };

/// The rows to locate and the places of their positions: see OccurrenceView. An entry is a query, or its
/// reverse complement, that occurs.
struct Occurrences {
  std::vector<u32> query;      // packed queries, ascending; forward strand first
  std::vector<Strand> strand;  // strand of each entry
  std::vector<u32> first_row, begin;
  std::vector<u32> rows;  // size of each entry's interval, of which the first rows are located

  u32 total() const { return begin.back(); }
  u64 bytes() const { return (first_row.size() + begin.size()) * sizeof(u32); }
  OccurrenceView view() const { return {first_row.data(), begin.data(), static_cast<u32>(query.size())}; }
  /// The positions of an entry.
  std::span<const u32> of(std::size_t entry, std::span<const u32> positions) const {
    return positions.subspan(begin[entry], begin[entry + 1] - begin[entry]);
  }
};

/// The entries of a query: [first, last) of Occurrences' vectors.
struct Entries {
  std::size_t first, last;
};
Entries entries_of(const Occurrences& occurrences, u32 query);

/// Searches every query backwards. A query without bases would occur everywhere; it is not located.
/// @param most_hits  rows of an entry that are located, the first of its interval; 0: all
/// @throws DoesNotFit if the positions exceed the host's memory; ResourceError if they exceed 32 bits
Occurrences find_occurrences(const fm_index::ColumnRank& rank, const fm_index::Queries& queries,
                             Strands strands, u64 most_hits, ThreadPool& pool);

}  // namespace gpuseq::fm_locate
