#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

/// Points as readers tell them apart: what is equal in all rows of a table is said once, beside it.
namespace gpuseq::reports {

/// {"k": 2, "d": 64} as "k=2, d=64"; anything else as JSON; axes in `left_out` are not mentioned.
std::string point_text(const nlohmann::json& point, const std::set<std::string>& left_out = {});

/// Axes that every one of the points has with the same value; none where there are fewer than two points.
std::set<std::string> common_axes(const std::vector<const nlohmann::json*>& points);

}  // namespace gpuseq::reports
