#pragma once

#include "kernels/profile_hmm/data/sequences.hpp"

namespace gpuseq::profile_hmm {

/// A volume of a protein BLAST database of version 4. A name is what hmmsearch has of a volume without
/// duplicates: the name or accession of a sequence identifier, a local identifier, else the title's first
/// word; or the sequence's number in the volume, from 0, if the header holds none of these.
/// @param psq  the residues; .pin and .phr lie beside it
/// @throws UsageError (file, record) if they do not fit together
Sequences read_blast_volume(const std::filesystem::path& psq, u64 most_sequences);

}  // namespace gpuseq::profile_hmm
