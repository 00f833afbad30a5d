#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpuseq::profile_hmm {

/// The name in the header of a sequence of a BLAST database (ASN.1 BER, a Blast-def-line-set); empty if it
/// holds none. nullopt: the bytes are no such header.
std::optional<std::string> name_of_blast_header(std::string_view header);

}  // namespace gpuseq::profile_hmm
