#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string_view>

#include "runtime/contract/errors.hpp"

namespace gpuseq::cuda {

/// The type of a texel; kernels read it as `unsigned char`, `unsigned` or `uint4`.
enum class Texel { u8x1, u32x1, u32x4 };
constexpr std::size_t bytes_of(Texel texel) {
  if (texel == Texel::u8x1) return 1;
  return texel == Texel::u32x1 ? 4 : 16;
}

/// Rejects a texture with too many texels along a side.
/// @param side  "texels across"
/// @throws DoesNotFit with both numbers and the device
inline void require_texels(std::size_t needed, std::size_t allowed, std::string_view side,
                           std::string_view device) {
  if (needed > allowed)
    throw DoesNotFit(
        fmt::format("a texture of {} {} does not fit on {}: {} are allowed", needed, side, device, allowed));
}

}  // namespace gpuseq::cuda
