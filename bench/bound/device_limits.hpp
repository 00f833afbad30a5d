#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "runtime/contract/bound.hpp"

namespace gpuseq::bench {

/// What a device's description says that ceilings need.
struct DeviceLimits {
  struct Level {
    Bound bound = Bound::memory;
    double bytes = 0;  // of one cache
  };
  std::vector<Level> levels;  // nearest first, without DRAM
  int multiprocessors = 0;    // of a GPU; 0: not known
};

/// @param description  of a device, or the part of it in a record's provenance
DeviceLimits limits_of(const nlohmann::json& description);

/// The level that holds so much: the nearest that is large enough.
Bound level_at(const DeviceLimits& limits, double footprint_bytes);

}  // namespace gpuseq::bench
