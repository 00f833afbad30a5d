#pragma once

#include "kernels/profile_hmm/data/sequences.hpp"

namespace gpuseq::profile_hmm {

/// A volume of a protein BLAST database of version 4. Names are those of hmmsearch for a volume without
/// duplicates: the name or accession of a sequence identifier, a local identifier, else the title's first
/// word; or the sequence's number in the volume, from 0, if the header has none of these.
/// @param psq  the residues; .pin and .phr are in the same folder
/// @throws UsageError (file, record) if the files are inconsistent
Sequences read_blast_volume(const std::filesystem::path& psq, u64 most_sequences);

}  // namespace gpuseq::profile_hmm
