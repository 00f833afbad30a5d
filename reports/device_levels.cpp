#include "reports/device_levels.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "reports/figure_tools.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/json_text.hpp"

namespace gpuseq::reports {
namespace {

using nlohmann::json;

std::vector<DeviceLevel> levels_from(const json& levels) {
  std::vector<DeviceLevel> found;
  if (!levels.is_array()) return found;
  for (const json& level : levels) {
    const auto at = number(level, "measured_bytes");
    if (!at || *at <= 0) continue;
    found.push_back({.name = text(level, "name"),
                     .at_bytes = *at,
                     .low_bytes = number(level, "low_bytes").value_or(*at),
                     .high_bytes = number(level, "high_bytes").value_or(*at),
                     .stated_bytes = number(level, "stated_bytes").value_or(0),
                     .uncertain = level.contains("uncertain") && level["uncertain"] == true});
  }
  return found;
}

/// `levels` of a device in the card that `machine` wrote into a run's folder. A card that cannot be read is
/// none: a report must not fail for it.
json levels_of_card(const std::filesystem::path& dir, const std::string& id) {
  std::error_code error;
  const std::filesystem::path file = dir / "machine.json";
  if (!std::filesystem::is_regular_file(file, error)) return nullptr;
  try {
    const json card = read_json(file, Texts::printable);
    const json::json_pointer devices("/devices");
    if (!card.contains(devices) || !card[devices].is_object() || !card[devices].contains(id)) return nullptr;
    const json& device = card[devices][id];
    return device.is_object() && device.contains("levels") ? device["levels"] : json();
  } catch (const UsageError&) {
    return nullptr;
  }
}

}  // namespace

std::vector<DeviceLevel> device_levels(const ReportData& data,
                                       const std::vector<std::pair<std::size_t, std::string>>& runs) {
  for (const auto& [run, id] : runs) {
    const json& summary = data.runs[run].summary;
    if (!summary.is_object() || !summary.contains("levels") || !summary["levels"].is_object()) continue;
    if (!summary["levels"].contains(id)) continue;
    if (auto levels = levels_from(summary["levels"][id]); !levels.empty()) return levels;
  }
  for (const auto& [run, id] : runs)
    if (auto levels = levels_from(levels_of_card(data.runs[run].dir, id)); !levels.empty()) return levels;
  return {};
}

std::vector<chart::Band> level_bands(const ReportData& data, const std::vector<const Entry*>& shown) {
  std::vector<std::pair<std::size_t, std::string>> runs;
  double least = INFINITY, most = 0;
  for (const Entry* entry : shown) {
    const std::pair place(entry->run, entry->record.state.device);
    if (std::ranges::find(runs, place) == runs.end()) runs.push_back(place);
    const double footprint = number(entry->record.state.point, "footprint_bytes").value_or(0);
    least = std::min(least, footprint);
    most = std::max(most, footprint);
  }
  std::vector<chart::Band> bands;
  for (const DeviceLevel& level : device_levels(data, runs))
    if (level.at_bytes > least && level.at_bytes < most)
      bands.push_back({level.low_bytes, level.high_bytes, format_value(level.at_bytes, Unit::bytes)});
  return bands;
}

}  // namespace gpuseq::reports
