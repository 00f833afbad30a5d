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

/// The text of an index, one base code per byte, and the input that was read for it.
struct Reference {
  std::vector<u8> text;
  u64 records = 0;
  u64 left_out = 0;                // letters other than A C G T
  std::vector<std::string> names;  // of the records of a file
  std::vector<Fragment>
      fragments;          // of which the text is made, in its order; each ends where the next begins
  u64 empty_records = 0;  // of a file, not among `records`: those without a letter
};

/// The bases of a FASTA or FASTQ file, gzip or plain. Other letters and the ends
/// of records are left out and their neighbours are joined, as bowtie joins its
/// fragments: a match may span a join. Records without a letter are skipped.
/// @param bases  keep only so many from the start; 0: all
/// @throws UsageError if the file is malformed, holds no base, or fewer than `bases`
Reference read_reference(const std::filesystem::path& path, u64 bases);

/// Seeded independent bases, each equally likely.
Reference random_reference(u64 bases, u64 seed, ThreadPool& pool);

/// A pan-genome: a reference, and copies of it that differ from it in substitutions, each in its own.
struct Strains {
  u64 count = 1;  // the reference included
  u32 mutations_per_1000 = 10;

  /// How many different words of so many letters a text of so many rows has at most: a word of a further
  /// strain is another one where a base of it is substituted.
  double most_words(u64 rows, u32 letters) const;
};

/// Adds the further strains to a reference, one behind the other, each with its own records: those of the
/// reference with "_strain2", "_strain3" and so on behind their names.
/// @param reference  becomes the pan-genome
/// @throws DoesNotFit if the host's memory cannot hold them
void add_strains(Reference& reference, const Strains& strains, u64 seed, ThreadPool& pool);

}  // namespace gpuseq::fm_index
