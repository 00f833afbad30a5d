#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace gpuseq::bench {

/// What rates are of, by a number and then a name.
using RateKind = std::pair<double, std::string>;

/// By the axis `operation`, `direction`, or `block_bytes`.
RateKind operation_of(const nlohmann::ordered_json& row);
RateKind direction_of(const nlohmann::ordered_json& row);
RateKind blocks_of(const nlohmann::ordered_json& row);

/// The best of each kind at the largest footprint that it has: "read 21 GB/s, write 12 GB/s".
std::string largest_text(const nlohmann::ordered_json& rows,
                         RateKind (*kind_of)(const nlohmann::ordered_json&));

/// The best of each kind, whatever else differs.
std::string best_text(const nlohmann::ordered_json& rows, RateKind (*kind_of)(const nlohmann::ordered_json&));

}  // namespace gpuseq::bench
