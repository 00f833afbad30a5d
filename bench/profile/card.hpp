#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "results/record.hpp"

namespace gpuseq::bench {

/// Of machine.json.
inline constexpr int kCardSchemaVersion = 2;

/// machine.json: what the probes of a run say of its devices. docs/machine.md describes the fields.
/// @param summary  the run's run.json
/// @throws UsageError if no probe has a record
nlohmann::ordered_json machine_card(const nlohmann::json& summary, std::span<const results::Record> records);

/// A card for people: about a screen a device.
/// @param card  as machine_card() makes it
std::string card_text(const nlohmann::ordered_json& card);

}  // namespace gpuseq::bench
