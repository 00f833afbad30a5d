#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "results/record.hpp"

namespace gpuseq::bench {

/// From the processors of each NUMA node to the memory of each what an access takes, at rest and while the
/// node's other processors stream. Null where it was not asked for.
/// @param records  of all devices, those that were skipped as well
nlohmann::ordered_json numa_json(std::span<const results::Record> records, std::string_view device);

/// The line "NUMA" of a profile; empty without it.
std::string numa_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
