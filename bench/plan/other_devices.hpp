#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "results/record.hpp"

namespace gpuseq::bench {

/// Axes by which a case takes other devices, and the value that takes none.
struct DeviceAxis {
  std::string_view axis, alone;
};
inline constexpr std::array kDeviceAxes{DeviceAxis{"index_on", "one"}, DeviceAxis{"peer", ""}};

/// Whether a case of a GPU works on another device, too: it is measured while no other case is, and its
/// memory is on several devices.
inline bool uses_other_devices(const results::StateKey& key) {
  return std::ranges::any_of(kDeviceAxes, [&](const DeviceAxis& row) {
    return key.point.has(row.axis) && to_string(key.point.at(row.axis)) != row.alone;
  });
}

}  // namespace gpuseq::bench
