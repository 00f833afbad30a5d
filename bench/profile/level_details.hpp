#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gpuseq::bench {

/// Bytes fetched per access, from random accesses: all blocks up to this size have the same block rate. One
/// row for each footprint at which several block sizes were read: {"footprint_bytes", "fetch_bytes",
/// "at_least"}; at_least is true if even the largest blocks have that rate.
/// @param curves  of the profile
nlohmann::ordered_json fetch_json(const nlohmann::ordered_json& curves);

/// "64 B" at the probed footprint nearest to `footprint_bytes`, ">= 128 B", or "-".
std::string fetch_text(const nlohmann::ordered_json& fetch, double footprint_bytes);

/// Sharing of caches, as stated by the vendor or hwloc: adds "shared_by" to levels with a stated size,
/// {"cores": 2} or {"multiprocessors": 132}, and null to the others.
void add_sharing(nlohmann::ordered_json& levels, const nlohmann::json& description);

/// "2 cores", "1 SM"; "-" if it is not stated.
std::string sharing_text(const nlohmann::ordered_json& level);

}  // namespace gpuseq::bench
