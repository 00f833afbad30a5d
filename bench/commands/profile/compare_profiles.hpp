#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "bench/tools/chart.hpp"

namespace gpuseq::bench {

/// A device of a profile, next to those of others.
struct ComparedDevice {
  std::string label;  // its name; where others have it too, with its profile's
  bool is_cpu = false;
  nlohmann::ordered_json device;  // as in machine.json
};

/// A profile and its name: the folder that it was made in, or its file.
struct NamedProfile {
  std::string name;
  nlohmann::ordered_json profile;  // as read_profile() gives it
};

/// All devices of the profiles, in their order. Devices of the same model stay apart.
std::vector<ComparedDevice> devices_of(std::span<const NamedProfile> profiles);

/// A table of all values that at least two devices have, with the ratio of each to the first device
/// that has one: sizes of levels with a name, latency and random bandwidth at the same footprints, bandwidth
/// in order over the most bytes that were probed, rates of instructions, launches. Processors have a table of
/// their own, and so have GPUs; one of each are in one.
std::string comparison_text(std::span<const ComparedDevice> devices);

/// Random bandwidth by size of block, and latency, over footprint: a line a device, the same axes.
chart::LineChart comparison_chart(std::span<const ComparedDevice> devices);

}  // namespace gpuseq::bench
