#pragma once

#include <array>
#include <optional>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::fm_index {

/// By letters: the code 0...3 of A C G T in either case, 4 of every other.
inline constexpr std::array<u8, 256> kBaseCodes = [] {
  std::array<u8, 256> codes{};
  codes.fill(4);
  for (u8 code = 0; code < 4; ++code) {
    const char upper = "ACGT"[code];
    codes[static_cast<u8>(upper)] = codes[static_cast<u8>(upper | 0x20)] = code;
  }
  return codes;
}();

/// The code of a letter; nullopt of one that has none.
constexpr std::optional<u8> base_code(char letter) {
  const u8 code = kBaseCodes[static_cast<u8>(letter)];
  return code < 4 ? std::optional<u8>(code) : std::nullopt;
}

}  // namespace gpuseq::fm_index
