#pragma once

#include "kernels/fm_index/data/queries.hpp"

namespace gpuseq::fm_index {

/// K-mers of a read of so many bases: one from each base on that has k - 1 behind it.
constexpr u64 kmers_in(u64 read_bases, u64 kmer_bases) {
  return read_bases < kmer_bases ? 0 : read_bases - kmer_bases + 1;
}

/// All k-mers of the reads of a FASTA or FASTQ file, gzip or plain, as queries: those of a read one after the
/// other, from its first base on. A k-mer with letters other than ACGT is a query that is not packed.
/// @param count  take only so many reads from the start; 0: all
/// @param kmer_bases  at least 1
/// @throws UsageError if the file is malformed, has fewer than `count` reads, or more k-mers than queries may
/// be
Queries read_kmers(const std::filesystem::path& path, u64 count, u32 kmer_bases);

/// The same of reads that are there: queries, all of them packed.
/// @throws UsageError if there are more than queries may be
Queries kmers_of(const Queries& reads, u32 kmer_bases);

}  // namespace gpuseq::fm_index
