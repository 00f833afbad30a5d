#include "reports/page/device_levels.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

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

/// Of the curves that are drawn. A knee's ends are where a change begins and ends, no interval of its place.
std::vector<DeviceLevel> knees_as_levels(const ReportData& data, const std::string& device_name) {
  std::vector<const Entry*> shown;
  if (const auto panel = main_panel(data, device_name))
    for (const double block : usual_blocks(*panel))
      for (const auto& [footprint, entry] : panel->curves.at(block)) shown.push_back(entry);
  std::vector<DeviceLevel> found;
  for (const chart::Band& band : knee_bands(data, "random_access", shown)) {
    const double at = std::sqrt(band.from * band.to);
    found.push_back({.at_bytes = at, .low_bytes = at, .high_bytes = at});
  }
  return found;
}

}  // namespace

std::optional<BandwidthPanel> main_panel(const ReportData& data, const std::string& device_name) {
  for (BandwidthPanel& panel : bandwidth_panels(data))
    if (panel.key.device_name == device_name) return std::move(panel);
  return std::nullopt;
}

std::vector<double> usual_blocks(const BandwidthPanel& panel) {
  const bool gpu = on_gpu(*panel.curves.begin()->second.begin()->second);
  std::vector<double> blocks;
  for (const double usual : gpu ? std::vector<double>{32, 128} : std::vector<double>{64}) {
    const auto nearest = std::ranges::min_element(
        panel.curves, {}, [&](const auto& curve) { return std::abs(std::log(curve.first / usual)); });
    if (std::ranges::find(blocks, nearest->first) == blocks.end()) blocks.push_back(nearest->first);
  }
  return blocks;
}

std::vector<DeviceLevel> device_levels(const ReportData& data, const std::string& device_name,
                                       const std::vector<std::pair<std::size_t, std::string>>& runs) {
  for (const auto& [run, id] : runs) {
    const json& summary = data.runs[run].summary;
    if (!summary.is_object() || !summary.contains("levels") || !summary["levels"].is_object()) continue;
    if (!summary["levels"].contains(id)) continue;
    if (auto levels = levels_from(summary["levels"][id]); !levels.empty()) return levels;
  }
  for (const auto& [run, id] : runs)
    if (auto levels = levels_from(levels_of_card(data.runs[run].dir, id)); !levels.empty()) return levels;
  return knees_as_levels(data, device_name);
}

}  // namespace gpuseq::reports
