#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "results/record.hpp"

namespace gpuseq::bench {

/// Access times from the cores of each NUMA node to the memory of each, at rest and while the other cores of
/// the node stream. Null if they were not probed.
/// @param records  of all devices, including skipped ones
nlohmann::ordered_json numa_json(std::span<const results::Record> records, std::string_view device);

/// The line "NUMA" of a profile; empty without this part.
std::string numa_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
