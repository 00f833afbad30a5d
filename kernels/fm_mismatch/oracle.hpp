#pragma once

#include <array>
#include <span>
#include <string_view>

#include "kernels/fm_mismatch/data/scheme.cuh"

namespace gpuseq::fm_mismatch {

using ByMismatches = std::array<u64, kMostMismatches + 1>;

/// Occurrences of letters A C G T in a text of base codes, by mismatches up to `most`: compares at every
/// place, base by base. Uses no index. An empty string does not occur.
ByMismatches count_by_trying(std::span<const u8> text, std::string_view letters, u32 most);

}  // namespace gpuseq::fm_mismatch
