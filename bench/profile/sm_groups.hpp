#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "results/record.hpp"

// Which multiprocessors share a cache of translations, and what it is worth to keep them to windows of
// memory: a part of the profile of a GPU, and a header for other programs.

namespace gpuseq::bench {

/// `windows` of a profile's device: the rates that the probe of that name measured, the groups by which
/// windows were assigned (null without) and why there are none. Null of a device that has no record of it.
/// @param records  of a run, also those that failed
nlohmann::ordered_json windows_json(std::span<const results::Record> records, std::string_view device);

/// A line of the profile; empty where it has no windows.
std::string windows_text(const nlohmann::ordered_json& device);

/// A C++ and CUDA header without includes that says of each multiprocessor's number which group it is in.
/// Groups are numbered from the largest, so that group % n is a window of alike many multiprocessors.
/// @param device  of a profile, with groups
std::string sm_groups_header(const nlohmann::ordered_json& device);

/// Whether a profile's device has groups.
bool has_sm_groups(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
