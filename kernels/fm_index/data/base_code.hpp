#pragma once

#include <optional>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::fm_index {

/// The code 0...3 of A C G T in either case; nullopt for every other letter.
constexpr std::optional<u8> base_code(char letter) {
  switch (letter | 0x20) {
    case 'a':
      return u8{0};
    case 'c':
      return u8{1};
    case 'g':
      return u8{2};
    case 't':
      return u8{3};
    default:
      return std::nullopt;
  }
}

}  // namespace gpuseq::fm_index
