#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "runtime/cuda/device/host_device.cuh"
#include "runtime/system/random.hpp"

namespace gpuseq::testing {

/// Changes a few places of a file's text: other bytes, telling letters, parts left out or repeated, an early
/// end.
/// @param early_ends  of so many early ends one is made: they leave little of a long file
inline void mutate(Random& random, std::string_view telling, std::string& text, u64 early_ends = 1) {
  for (u64 i = 0, n = 1 + random.below(4); i < n && !text.empty(); ++i) {
    const std::size_t at = random.below(text.size());
    const std::size_t length = random.below(std::min<std::size_t>(text.size() - at, 30) + 1);
    switch (random.below(6)) {
      case 0:
        text[at] = static_cast<char>(random.below(256));
        break;
      case 1:
      case 2:
        text[at] = telling[random.below(telling.size())];
        break;
      case 3:
        text.erase(at, length);
        break;
      case 4:
        text.insert(at, text.substr(random.below(text.size()), length));
        break;
      default:
        if (early_ends == 1 || random.below(early_ends) == 0) text.resize(at);
    }
  }
}

}  // namespace gpuseq::testing
