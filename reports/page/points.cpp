#include "reports/page/points.hpp"

#include <fmt/format.h>

#include "reports/report_data.hpp"

namespace gpuseq::reports {
namespace {

using nlohmann::json;

std::string axis_text(const std::string& axis, const json& value) {
  return fmt::format("{}={}", axis, value_text(value));
}

}  // namespace

std::string point_text(const json& point, const std::set<std::string>& left_out) {
  if (point.is_null()) return "";
  if (!point.is_object()) return point.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string text;
  for (const auto& [axis, value] : point.items())
    if (!left_out.contains(axis)) text += (text.empty() ? "" : ", ") + axis_text(axis, value);
  return text;
}

std::set<std::string> common_axes(const std::vector<const json*>& points) {
  std::set<std::string> common;
  if (points.size() < 2 || !points.front()->is_object()) return common;
  for (const auto& [axis, value] : points.front()->items()) {
    bool same = true;
    for (const json* point : points)
      same = same && point->is_object() && point->contains(axis) && (*point)[axis] == value;
    if (same) common.insert(axis);
  }
  return common;
}

}  // namespace gpuseq::reports
