#pragma once

#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "kernels/papara/data/alignment_data.hpp"
#include "kernels/papara/data/reference_alignment.hpp"
#include "kernels/papara/exec/traceback.hpp"

namespace gpuseq::papara {

/// A query in the columns of the reference alignment, with gaps in columns without a base. Inserted bases
/// have no column and are left out. Letters are IUPAC's, N for any base, X for any amino acid.
std::string aligned_row(Alphabet alphabet, std::span<const u8> bases, const Alignment& alignment, u32 sites);

/// Names for the aligned queries that are unique among themselves and in the alignment: a name in use becomes
/// NAME_queryNUMBER, with the number in file order from 1. Programs reject alignments with duplicate names.
struct DistinctNames {
  std::vector<std::string> of_queries;
  u32 renamed = 0;
};
DistinctNames distinct_names(const ReferenceAlignment& reference, const Queries& queries);

/// The rows of the alignment as read, then the aligned queries, in the columns of the alignment.
/// @param phylip      sequential PHYLIP with relaxed names; otherwise FASTA
/// @param names       of the aligned queries
/// @param alignments  of the aligned queries
void write_aligned(std::ostream& out, bool phylip, const ReferenceAlignment& reference,
                   std::span<const std::string> names, const Queries& queries,
                   std::span<const Alignment> alignments);

/// Whether a file name selects PHYLIP: .phy or .phylip.
bool is_phylip_name(const std::filesystem::path& path);

}  // namespace gpuseq::papara
