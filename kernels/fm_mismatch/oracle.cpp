#include "kernels/fm_mismatch/oracle.hpp"

#include <string>

namespace gpuseq::fm_mismatch {

ByMismatches count_by_trying(std::span<const u8> text, std::string_view letters, u32 most) {
  ByMismatches found{};
  std::string codes;
  for (const char letter : letters) codes += static_cast<char>(std::string_view("ACGT").find(letter));
  if (codes.empty()) return found;
  for (std::size_t at = 0; at + codes.size() <= text.size(); ++at) {
    u32 differ = 0;
    for (std::size_t i = 0; i < codes.size() && differ <= most; ++i)
      differ += text[at + i] != static_cast<u8>(codes[i]) ? 1 : 0;
    if (differ <= most) ++found[differ];
  }
  return found;
}

}  // namespace gpuseq::fm_mismatch
