#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "runtime/contract/binding_resource.hpp"

namespace gpuseq::bench {

/// Limits in a device's description that bounds need.
struct DeviceLimits {
  struct Level {
    BindingResource bound = BindingResource::memory;
    double bytes = 0;  // of one cache
  };
  std::vector<Level> levels;  // nearest first, without DRAM
  int multiprocessors = 0;    // of a GPU; 0: unknown
};

/// @param description  of a device, or the part of it in a record's provenance
DeviceLimits limits_of(const nlohmann::json& description);

/// The nearest level of at least this size.
BindingResource level_at(const DeviceLimits& limits, double footprint_bytes);

}  // namespace gpuseq::bench
