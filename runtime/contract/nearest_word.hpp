#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuseq {

/// What somebody who wrote `word` may have meant: the nearest of `allowed` by letters put in, left out,
/// replaced or swapped with their neighbour, the first of equals; empty where none is near, which is a third
/// of the longer word's letters.
std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& allowed);

/// "; did you mean "simd"?" to be put behind a message; empty where no allowed word is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& allowed);

}  // namespace gpuseq
