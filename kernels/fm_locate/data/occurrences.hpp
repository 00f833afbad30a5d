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

/// The rows whose positions are asked for, and where the positions go: see OccurrenceView.
struct Occurrences {
  std::vector<u32> query;  // the packed queries that occur, ascending
  std::vector<u32> first_row, begin;
  std::vector<u32> rows;  // of each its whole interval, of which the first are located

  u32 total() const { return begin.back(); }
  u64 bytes() const { return (first_row.size() + begin.size()) * sizeof(u32); }
  OccurrenceView view() const { return {first_row.data(), begin.data(), static_cast<u32>(query.size())}; }
  /// Places of the positions of an entry of `query`.
  std::span<const u32> of(std::size_t entry, std::span<const u32> positions) const {
    return positions.subspan(begin[entry], begin[entry + 1] - begin[entry]);
  }
};

/// Searches every query backwards. One without bases, which would occur everywhere, is not located.
/// @param most_hits  rows of a query that are located, the first of its interval; 0: all
/// @throws DoesNotFit if there are too many for the host's memory; ResourceError if for 32 bits
Occurrences find_occurrences(const fm_index::ColumnRank& rank, const fm_index::Queries& queries,
                             u64 most_hits, ThreadPool& pool);

}  // namespace gpuseq::fm_locate
