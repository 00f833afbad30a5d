#pragma once

#include <filesystem>
#include <string>

#include "kernels/papara/data/alignment_data.hpp"
#include "kernels/papara/data/reference_alignment.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::papara {

/// Appends a query to `queries`; it is aligned if it has 1 ... most bases.
/// @param codes  its bases without gaps
void append_query(Queries& queries, std::string name, std::span<const u8> codes, u32 most);

/// The reads of a FASTA or FASTQ file, gzip or plain. Letters are those of letter_code(); the gaps '-' and
/// '.' are removed. A record without a name is named by its number, from 1.
/// @param sites  queries with more bases are not aligned
/// @param count  read only the first `count` records; 0: all
/// @throws UsageError if the file is malformed or has fewer than `count` records
Queries read_queries(const std::filesystem::path& path, Alphabet alphabet, u32 sites, u64 count);

/// Parameters of reads sampled from the rows of an alignment.
struct Sampling {
  u64 count = 100;
  u32 shortest = 100;  // bases, at least 1; lengths are uniform from the shortest to the longest
  u32 longest = 100;
  u64 seed = 1;
  double substitution_share = 0.03;
  double indel_share = 0.005;  // share of the bases: half of them deletions of one base, half insertions
};

/// Samples reads of the alignment's alphabet from random rows: without gaps, with substitutions and indels,
/// named q1, q2 ... A row that is shorter than a query is extended by random bases.
Queries sample_queries(const ReferenceAlignment& alignment, const Sampling& sampling, ThreadPool& pool);

}  // namespace gpuseq::papara
