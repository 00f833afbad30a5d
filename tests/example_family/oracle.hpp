#pragma once

#include <algorithm>

#include "tests/example_family/problem.hpp"

namespace gpuseq::base_counts {

inline Counts oracle_counts(std::span<const std::uint8_t> bases) {
  Counts counts{};
  for (std::uint8_t base = 0; base < 4; ++base)
    counts[base] = static_cast<std::uint64_t>(std::ranges::count(bases, base));
  return counts;
}

}  // namespace gpuseq::base_counts
