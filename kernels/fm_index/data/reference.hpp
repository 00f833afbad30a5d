#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/fm_index/data/base_code.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::fm_index {

/// Bases that follow each other in a record, without another letter between them.
struct Fragment {
  u64 text_begin;  // where its first base is in the text
  u64 record;
  u64 record_begin;  // and in the record, other letters counted; both from 0
};

/// The text of an index, one base code a byte, and what was read for it.
struct Reference {
  std::vector<u8> text;
  u64 records = 0;
  u64 left_out = 0;                // letters other than A C G T
  std::vector<std::string> names;  // of the records of a file
  std::vector<Fragment>
      fragments;  // of which the text is made, in its order; each ends where the next begins
};

/// The bases of a FASTA or FASTQ file, gzip or plain. Other letters and the ends of records are left out and
/// what stands beside them is joined, as bowtie joins its fragments: a match may span a join.
/// @param bases  keep only so many from the start; 0: all
/// @throws UsageError if the file is malformed, holds no base, or fewer than `bases`
Reference read_reference(const std::filesystem::path& path, u64 bases);

/// Seeded independent bases, each equally likely.
Reference random_reference(u64 bases, u64 seed, ThreadPool& pool);

}  // namespace gpuseq::fm_index
