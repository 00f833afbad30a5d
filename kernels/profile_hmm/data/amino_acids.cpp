#include "kernels/profile_hmm/data/amino_acids.hpp"

namespace gpuseq::profile_hmm {

std::optional<u8> residue_code(char letter) {
  if (letter == '-') return std::nullopt;  // FASTA is not aligned
  if (letter == '_' || letter == '.') return kGap;
  if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  const std::size_t at = kResidueLetters.find(letter);
  if (letter == '\0' || at == std::string_view::npos) return std::nullopt;
  return static_cast<u8>(at);
}

}  // namespace gpuseq::profile_hmm
