#pragma once

#include <fmt/format.h>

#include <map>
#include <string>

#include "runtime/contract/variant.hpp"

// Costs as text that is the same on every machine.

namespace gpuseq {

/// A point whose costs are the same on every machine.
inline Point portable(const Variant& variant) {
  const SearchSpace& space = variant.space;
  Point point;
  if (variant.device != DeviceKind::cpu) return space.complete(point);
  if (space.find("target") != nullptr) point.set("target", std::string("sse4"));
  if (space.find("threads") != nullptr) point.set("threads", std::int64_t{1});
  if (space.find("cpu_threads") != nullptr) point.set("cpu_threads", std::int64_t{1});
  if (space.find("gpus") != nullptr) point.set("gpus", std::int64_t{0});
  return space.complete(point);
}

inline std::string text_of(const std::map<std::string, double>& operations) {
  std::string text;
  for (const auto& [name, count] : operations) text += fmt::format(" {} {:.6g}", name, count);
  return text;
}

inline std::string text_of(const Cost& cost) {
  std::string text = fmt::format("{:.6g} {}, {} B", cost.work.amount, cost.work.unit, cost.held.bytes());
  if (cost.traffic)
    text += fmt::format(", {:.6g} blocks of {} B in {} B", cost.traffic->blocks, cost.traffic->block_bytes,
                        cost.traffic->footprint_bytes);
  if (cost.instructions && !cost.instructions->operations.empty())
    text += "," + text_of(cost.instructions->operations);
  if (cost.instructions)
    for (const DeviceInstructions& one : cost.instructions->by_device)
      text += fmt::format(", {}:{}", one.device, text_of(one.operations));
  return text + "\n";
}

}  // namespace gpuseq
