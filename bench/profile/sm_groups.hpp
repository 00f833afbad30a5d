#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "results/record.hpp"

// Groups of SMs that share a TLB, and the gain from restricting them to windows of memory: a part of the
// profile of a GPU, and a header for other programs.

namespace gpuseq::bench {

/// `windows` of a profile's device: the rates measured by the probe of that name, and the groups by which
/// windows were assigned, or null and the reason. Null for a device without a record of the probe.
/// @param records  of a run, including failed ones
nlohmann::ordered_json windows_json(std::span<const results::Record> records, std::string_view device);

/// A line of the profile; empty without this part.
std::string windows_text(const nlohmann::ordered_json& device);

/// A C++ and CUDA header without includes that maps SM numbers to groups. Groups are numbered from the
/// largest, so that windows group % n have about equally many SMs.
/// @param device  of a profile, with groups
std::string sm_groups_header(const nlohmann::ordered_json& device);

/// Whether a profile's device has groups.
bool has_sm_groups(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
