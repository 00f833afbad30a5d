#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/fm_index/data/layout.cuh"
#include "runtime/system/threads.hpp"

namespace gpuseq::fm_index {

class ColumnRank;

/// The unit of 16 bytes at which packed queries begin: QueryView::begin is 32 bits of them.
inline constexpr u64 kMostUnits = u64{1} << 32;

/// The queries of a problem in host memory. Those with letters other than ACGT are not packed: their interval
/// is (0, 0) by definition and they are no work.
struct Queries {
  std::vector<std::string> names;  // of all queries, of k-mers of their reads, in file order; empty: sampled
  std::vector<u32> packed;         // see QueryView; 16-byte aligned starts
  std::vector<u32> begin, bases;   // of the packed queries
  std::vector<u32> source;         // packed query -> position in file order
  std::vector<u64> first_kmers;    // of k-mers: the position of each read's first; else empty
  u64 total = 0;                   // all queries, packed or not
  u64 total_bases = 0;             // of the packed queries: the work
  u32 longest = 0;
  u64 empty_records = 0;  // of a file

  /// Takes one query more, packed if all of its letters are bases.
  void add(std::string_view letters);
  /// The part of them that a search reads.
  u64 bytes() const { return (packed.size() + begin.size() + bases.size()) * sizeof(u32); }
  QueryView view() const {
    return {packed.data(), begin.data(), bases.data(), static_cast<u32>(begin.size())};
  }

  /// Letters of a packed query, as it was read.
  std::string letters(u32 query) const;
  /// Name of a packed query; its number in file order, from 1, where it has none. The
  /// name of a k-mer is that of its read and its first base there, from 1: "read7:12".
  std::string name(u32 query) const { return name_in_file(source[query]); }
  std::string name_in_file(u64 position) const;
  /// The packed queries as they follow each other in the file, in whatever order they are searched.
  std::vector<u32> in_file_order() const;
  /// Calls tell(position, query) for each query of the file, in its order,
  /// with the number of the packed one; none for those that were not packed.
  template <class Tell>
  void for_each_in_file(const Tell& tell) const {
    const std::vector<u32> order = in_file_order();
    std::size_t next = 0;
    for (u64 position = 0; position < total; ++position) {
      const bool is_packed = next < order.size() && source[order[next]] == position;
      tell(position, is_packed ? std::optional(order[next++]) : std::nullopt);
    }
  }
};

/// The reads of a FASTA or FASTQ file, gzip or plain, of any length, empty ones too.
/// @param count  take only so many from the start; 0: all
/// @throws UsageError if the file is malformed or has fewer than `count` records
Queries read_queries(const std::filesystem::path& path, u64 count);

/// Queries to be made. `occurring_percent` of them, evenly spread, occur; the rest are random bases. So
/// many percent of both, evenly spread, have an N, and are not packed, so that it does not matter where.
struct Sampling {
  u64 count = 0;
  u32 bases = 0;           // of the longest
  u32 shortest_bases = 0;  // lengths are as likely from here to `bases`; 0: all are as long
  u32 occurring_percent = 100;
  u32 n_percent = 0;
  u64 seed = 1;

  u32 least_bases() const { return shortest_bases == 0 ? bases : shortest_bases; }
};

/// Queries from random places of a text. @throws UsageError if the text is shorter than a query may be
Queries sample_queries(std::span<const u8> text, const Sampling& sampling, ThreadPool& pool);

/// Queries walked out of a column by LF from random rows, so that they occur whatever the column is.
/// @throws UsageError if the column is so short that no walk avoids `$`
Queries walk_queries(const ColumnRank& rank, const Sampling& sampling, ThreadPool& pool);

}  // namespace gpuseq::fm_index
