#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace gpuseq::bench {

/// Kind of a rate: a number, by which kinds are sorted, and a name.
using RateKind = std::pair<double, std::string>;

/// Kinds by the axis `operation`, `direction`, or `block_bytes`.
RateKind operation_of(const nlohmann::ordered_json& row);
RateKind direction_of(const nlohmann::ordered_json& row);
RateKind blocks_of(const nlohmann::ordered_json& row);

/// The best rate of each kind at its largest footprint: "read 21 GB/s, write 12 GB/s".
std::string largest_text(const nlohmann::ordered_json& rows,
                         RateKind (*kind_of)(const nlohmann::ordered_json&));

/// The best rate of each kind over all other axes.
std::string best_text(const nlohmann::ordered_json& rows, RateKind (*kind_of)(const nlohmann::ordered_json&));

}  // namespace gpuseq::bench
