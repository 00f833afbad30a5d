#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "results/record.hpp"

namespace gpuseq::bench {

/// Of machine.json.
inline constexpr int kProfileSchemaVersion = 2;

/// machine.json: what the probes of a run say of its devices. docs/machine.md describes the fields.
/// @param summary  the run's run.json
/// @throws UsageError if no probe has a record
nlohmann::ordered_json machine_profile(const nlohmann::json& summary,
                                       std::span<const results::Record> records);

/// A profile for people: about a screen a device.
/// @param profile  as machine_profile() makes it
std::string profile_text(const nlohmann::ordered_json& profile);

}  // namespace gpuseq::bench
