#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "kernels/fm_index/data/layout.cuh"
#include "runtime/system/threads.hpp"

namespace gpuseq::fm_index {

class ColumnRank;

/// The queries of a problem in host memory. Those with letters other than ACGT are not packed: their interval
/// is (0, 0) by definition and they are no work.
struct Queries {
  std::vector<std::string> names;  // of all queries, in file order; empty when sampled
  std::vector<u32> packed;         // see QueryView; 16-byte aligned starts
  std::vector<u32> begin, bases;   // of the packed queries
  std::vector<u32> source;         // packed query -> position in file order
  u64 total = 0;                   // all queries, packed or not
  u64 total_bases = 0;             // of the packed queries: the work
  u32 longest = 0;
  /// What a search reads of them.
  u64 bytes() const { return (packed.size() + begin.size() + bases.size()) * sizeof(u32); }
  QueryView view() const {
    return {packed.data(), begin.data(), bases.data(), static_cast<u32>(begin.size())};
  }

  /// Letters of a packed query, as it was read.
  std::string letters(u32 query) const;
  /// Name of a packed query; its number in file order, from 1, where it has none.
  std::string name(u32 query) const { return name_in_file(source[query]); }
  std::string name_in_file(u64 position) const;
};

/// The reads of a FASTA or FASTQ file, gzip or plain, of any length, empty ones too.
/// @param count  take only so many from the start; 0: all
/// @throws UsageError if the file is malformed or has fewer than `count` records
Queries read_queries(const std::filesystem::path& path, u64 count);

/// Queries to be made. `occurring_percent` of them, evenly spread, occur; the rest are random bases.
struct Sampling {
  u64 count = 0;
  u32 bases = 0;
  u32 occurring_percent = 100;
  u64 seed = 1;
};

/// Queries from random places of a text. @throws UsageError if the text is shorter than a query
Queries sample_queries(std::span<const u8> text, const Sampling& sampling, ThreadPool& pool);

/// Queries walked out of a column by LF from random rows, so that they occur whatever the column is.
/// @throws UsageError if the column is so short that no walk avoids `$`
Queries walk_queries(const ColumnRank& rank, const Sampling& sampling, ThreadPool& pool);

}  // namespace gpuseq::fm_index
