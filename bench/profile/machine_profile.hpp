#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "results/record.hpp"

namespace gpuseq::bench {

/// Schema of machine.json.
inline constexpr int kProfileSchemaVersion = 2;

/// machine.json: the probe results of a run for its devices (docs/reference/profile.md).
/// @param summary  the run's run.json
/// @throws UsageError if there is no record of a probe
nlohmann::ordered_json machine_profile(const nlohmann::json& summary,
                                       std::span<const results::Record> records);

/// A profile as text: about one screen per device.
/// @param profile  from machine_profile()
std::string profile_text(const nlohmann::ordered_json& profile);

}  // namespace gpuseq::bench
