#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "results/record.hpp"
#include "runtime/contract/variant.hpp"

namespace gpuseq::bench {

/// Axes by which a case takes other devices, and the value that takes none.
struct DeviceAxis {
  std::string_view axis, alone;
};
inline constexpr std::array kDeviceAxes{DeviceAxis{"index_on", "one"}, DeviceAxis{"gpus", "1"},
                                        DeviceAxis{"peer", ""}};

/// Whether a case of a GPU works on another device, too: it is measured while no other case is, and its
/// memory is on several devices.
inline bool uses_other_devices(const results::StateKey& key) {
  return key.device != "cpu" && std::ranges::any_of(kDeviceAxes, [&](const DeviceAxis& row) {
           return key.point.has(row.axis) && to_string(key.point.at(row.axis)) != row.alone;
         });
}

/// Whether a GPU variant works on other devices by default.
inline bool shares_by_default(const Variant& variant) {
  return variant.device == DeviceKind::cuda && std::ranges::any_of(kDeviceAxes, [&](const DeviceAxis& row) {
           const Axis* axis = variant.space.find(row.axis);
           return axis != nullptr && to_string(axis->default_value) != row.alone;
         });
}

}  // namespace gpuseq::bench
