#pragma once

#include <string>
#include <vector>

#include "runtime/contract/variant.hpp"

namespace gpuseq {

/// "simd k: 1 2 3 4" for each axis of each variant. A golden text of it is the same in a default build and in
/// one with all shapes, whose tests .ci/all-shapes runs.
inline std::vector<std::string> axes_lines(const std::vector<Variant>& variants) {
  std::vector<std::string> lines;
  for (const Variant& variant : variants)
    for (const Axis& axis : variant.space.axes()) {
      std::string line = variant.name + " " + axis.name + ":";
      for (const AxisValue& value : axis.values) line += " " + to_string(value);
      lines.push_back(std::move(line));
    }
  return lines;
}

}  // namespace gpuseq
