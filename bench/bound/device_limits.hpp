#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "runtime/contract/binding_resource.hpp"

namespace gpuseq::bench {

/// What a device's description says that bounds need.
struct DeviceLimits {
  struct Level {
    BindingResource bound = BindingResource::memory;
    double bytes = 0;  // of one cache
  };
  std::vector<Level> levels;  // nearest first, without DRAM
  int multiprocessors = 0;    // of a GPU; 0: not known
};

/// @param description  of a device, or the part of it in a record's provenance
DeviceLimits limits_of(const nlohmann::json& description);

/// The level that holds so much: the nearest that is large enough.
BindingResource level_at(const DeviceLimits& limits, double footprint_bytes);

}  // namespace gpuseq::bench
