#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuseq {

/// The word that the user probably meant by `word`: the nearest of `allowed` by letters inserted, deleted,
/// replaced or swapped with their neighbour, the first of equals. Empty if none is within a third of the
/// longer word's letters.
std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& allowed);

/// "; did you mean "simd"?" as the end of a message; empty if no allowed word is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& allowed);

}  // namespace gpuseq
