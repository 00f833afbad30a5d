#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "results/record.hpp"

namespace gpuseq::bench {

/// TLB reach by kind of page, for a device whose latency was also probed on pages other than transparent huge
/// pages; else null.
/// @param curves  of the profile
/// @param records  of all devices, including skipped ones
nlohmann::ordered_json translation_json(const nlohmann::ordered_json& curves,
                                        std::span<const results::Record> records, std::string_view device);

/// The line "pages" of a profile; empty without this part.
std::string translation_text(const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
