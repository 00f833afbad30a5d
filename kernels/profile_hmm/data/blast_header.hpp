#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpuseq::profile_hmm {

/// The name in the header of a BLAST database sequence (ASN.1 BER, a Blast-def-line-set); empty if there is
/// no name. nullopt: the bytes are not such a header.
std::optional<std::string> name_of_blast_header(std::string_view header);

}  // namespace gpuseq::profile_hmm
