#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string_view>

#include "runtime/contract/errors.hpp"

namespace gpuseq::cuda {

/// What a texel is; kernels read it as `unsigned char`, `unsigned` or `uint4`.
enum class Texel { u8x1, u32x1, u32x4 };
constexpr std::size_t bytes_of(Texel texel) {
  if (texel == Texel::u8x1) return 1;
  return texel == Texel::u32x1 ? 4 : 16;
}

/// Refuses a texture with more texels along a side than are allowed.
/// @param side  "texels across"
/// @throws DoesNotFit naming both numbers and the device
inline void require_texels(std::size_t needed, std::size_t allowed, std::string_view side,
                           std::string_view device) {
  if (needed > allowed)
    throw DoesNotFit(
        fmt::format("a texture of {} {} does not fit on {}: {} are allowed", needed, side, device, allowed));
}

}  // namespace gpuseq::cuda
