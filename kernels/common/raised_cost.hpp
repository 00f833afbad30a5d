#pragma once

#include <algorithm>

#include "runtime/contract/cost.hpp"

namespace gpuseq {

/// Raises the memory and the instructions of a cost to at least those of another. Both have instructions.
inline void raise_to(Cost& cost, const Cost& other) {
  const auto raise_each = [](auto& amounts, const auto& others) {
    for (const auto& [name, amount] : others) amounts[name] = std::max(amounts[name], amount);
  };
  raise_each(cost.held.parts, other.held.parts);
  raise_each(cost.instructions.value().operations, other.instructions.value().operations);
}

}  // namespace gpuseq
