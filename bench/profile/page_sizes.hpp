#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "results/record.hpp"

namespace gpuseq::bench {

/// How far translation reaches by kind of page, of a device on which the latency of more than transparent
/// huge pages was asked for; else null.
/// @param curves  of the profile
/// @param records  of all devices, those that were skipped as well
nlohmann::ordered_json translation_json(const nlohmann::ordered_json& curves,
                                        std::span<const results::Record> records, std::string_view device);

/// The line "pages" of a profile; empty without them.
std::string translation_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
