#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gpuseq::bench {

/// How much is fetched at a time, told from random accesses: blocks that are no larger come as often a
/// second. A row for each footprint of the curves at which blocks of several sizes were read:
/// {"footprint_bytes", "fetch_bytes", "at_least"}; at_least is true where even the largest blocks came as
/// often.
/// @param curves  the profile's
nlohmann::ordered_json fetch_json(const nlohmann::ordered_json& curves);

/// "64 B" at the probed footprint that is nearest to one, ">= 128 B", or "-".
std::string fetch_text(const nlohmann::ordered_json& fetch, double footprint_bytes);

/// Who shares each cache, as the vendor or hwloc states it: adds "shared_by" to levels that have a stated
/// size,
/// {"cores": 2} or {"multiprocessors": 132}, and null to the others.
void add_sharing(nlohmann::ordered_json& levels, const nlohmann::json& description);

/// "2 cores", "1 SM"; "-" where nobody states it.
std::string sharing_text(const nlohmann::ordered_json& level);

}  // namespace gpuseq::bench
