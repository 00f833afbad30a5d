#pragma once

#include <filesystem>
#include <string>

#include "kernels/papara/data/alignment_data.hpp"
#include "kernels/papara/data/reference_alignment.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::papara {

/// Appends a query to `queries`; it is aligned if it has 1 ... most bases.
/// @param codes  its bases, gaps stripped
void append_query(Queries& queries, std::string name, std::span<const u8> codes, u32 most);

/// The reads of a FASTA or FASTQ file, gzip or plain. Letters are those of letter_code(); the gaps '-' and
/// '.' are stripped. A record without a name has its number, from 1.
/// @param sites  queries with more bases than that are not aligned
/// @param count  take only so many from the start; 0: all
/// @throws UsageError if the file is malformed or has fewer than `count` records
Queries read_queries(const std::filesystem::path& path, Alphabet alphabet, u32 sites, u64 count);

/// Reads that are made from rows of an alignment.
struct Sampling {
  u64 count = 100;
  u32 shortest = 100;  // bases, at least 1; lengths are uniform from the shortest to the longest
  u32 longest = 100;
  u64 seed = 1;
  double substitution_share = 0.03;
  double indel_share = 0.005;  // of the bases: half of them deletions of a base, half insertions
};

/// Of the alignment's alphabet: pieces of random rows, gaps stripped, with substitutions and indels, named
/// q1, q2 ...; bases past the end of a row that is shorter than a query are random.
Queries sample_queries(const ReferenceAlignment& alignment, const Sampling& sampling, ThreadPool& pool);

}  // namespace gpuseq::papara
