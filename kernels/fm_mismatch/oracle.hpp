#pragma once

#include <array>
#include <span>
#include <string_view>

#include "kernels/fm_mismatch/data/scheme.cuh"

namespace gpuseq::fm_mismatch {

using ByMismatches = std::array<u64, kMostMismatches + 1>;

/// How often letters A C G T stand in a text of base codes, by the bases that differ, up to `most` of them:
/// every place is tried, base by base. Knows no index. No letters stand nowhere.
ByMismatches count_by_trying(std::span<const u8> text, std::string_view letters, u32 most);

}  // namespace gpuseq::fm_mismatch
