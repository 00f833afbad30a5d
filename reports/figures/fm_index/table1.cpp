#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/bandwidth.hpp"
#include "reports/figure_tools.hpp"
#include "reports/figures/fm_index/figures.hpp"

namespace gpuseq::reports::fm_index {
namespace {

using chart::Quantity;
using chart::RowChart;
using chart::RowMark;
using chart::RowPanel;

/// A column of the paper's table: how facts name it ("property" of their place), and what our devices say.
struct Property {
  const char* name;
  Quantity quantity;
  std::optional<double> (*of)(const nlohmann::json& device);
};

std::optional<double> scaled(const nlohmann::json& device, const char* key, double factor) {
  const auto value = number(device, key);
  return value && *value > 0 ? std::optional<double>(*value * factor) : std::nullopt;
}

/// Lanes of a multiprocessor by compute capability (CUDA C++ Programming Guide, arithmetic instructions:
/// 32-bit floating-point operations a clock).
std::optional<double> lanes(const nlohmann::json& device) {
  static const std::map<std::string, double, std::less<>> known{
      {"5.0", 128}, {"5.2", 128}, {"6.0", 64},  {"6.1", 128}, {"7.0", 64},   {"7.5", 64},
      {"8.0", 64},  {"8.6", 128}, {"8.9", 128}, {"9.0", 128}, {"10.0", 128}, {"12.0", 128}};
  const auto found = known.find(text(device, "compute_capability"));
  return found == known.end() ? std::nullopt : std::optional<double>(found->second);
}

const std::vector<Property>& properties() {
  using Device = nlohmann::json;
  static const std::vector<Property> all{
      {"cores",
       {.title = "cores", .unit = Unit::number_si, .log = true},
       [](const Device& device) {
         const auto of_multiprocessor = lanes(device);
         return of_multiprocessor ? scaled(device, "multiprocessors", *of_multiprocessor)
                                  : scaled(device, "cores", 1);
       }},
      {"hardware threads",
       {.title = "hardware threads", .unit = Unit::number_si, .log = true},
       [](const Device& device) {
         const auto resident = number(device, "threads_per_multiprocessor");
         return resident ? scaled(device, "multiprocessors", *resident) : scaled(device, "threads", 1);
       }},
      {"clock",
       {.title = "clock", .unit = Unit::hertz},
       [](const Device& device) {
         const auto gpu = scaled(device, "max_sm_clock_mhz", 1e6);
         return gpu ? gpu : scaled(device, "max_clock_mhz", 1e6);
       }},
      // Twice the clock: memory of GPUs transfers at both edges.
      {"memory bandwidth",
       {.title = "memory bandwidth", .unit = Unit::bytes_per_s, .log = true},
       [](const Device& device) {
         const auto bits = number(device, "memory_bus_bits");
         return bits ? scaled(device, "max_memory_clock_mhz", 1e6 * 2 * *bits / 8) : std::nullopt;
       }},
      {"memory",
       {.title = "memory", .unit = Unit::bytes, .log = true},
       [](const Device& device) { return scaled(device, "memory_bytes", 1); }},
      {"thermal design power", {.title = "power limit", .unit = Unit::watts}, [](const Device& device) {
         return scaled(device, "power_limit_w", 1);
       }}};
  return all;
}

/// Descriptions of the devices that have a record, by name.
std::map<std::string, nlohmann::json> described_devices(const ReportData& data) {
  std::map<std::string, nlohmann::json> devices;
  for (const Entry& entry : data.entries) {
    const nlohmann::json& summary = data.runs[entry.run].summary;
    if (!summary.is_object() || !summary.contains("devices") || !summary["devices"].is_object()) continue;
    const auto device = summary["devices"].find(entry.record.state.device);
    if (device != summary["devices"].end() && device->is_object())
      devices.emplace(entry.device_name, *device);
  }
  return devices;
}

RowMark mark(std::string row, double value, std::string series, const Quantity& quantity, chart::Tips tips) {
  return {.row = std::move(row),
          .value = value,
          .low = value,
          .high = value,
          .series = std::move(series),
          .label = format_value(value, quantity.unit),
          .tips = std::move(tips)};
}

/// Runs of kernels, none of them of this family.
bool of_other_families(const ReportData& data) {
  const auto kernel = [](const Entry& entry) { return entry.record.kind == "kernel"; };
  const auto ours = [](const Entry& entry) { return entry.record.state.family == "fm_index"; };
  return std::any_of(data.entries.begin(), data.entries.end(), kernel) &&
         std::none_of(data.entries.begin(), data.entries.end(), ours);
}

// The devices of the runs, as they describe themselves, beside those of the paper.
Drawing draw_table1(const Figure& figure, const ReportData& data, const Published& published) {
  if (of_other_families(data)) return not_drawn("no record of fm_index");
  const auto devices = described_devices(data);
  if (devices.empty())
    return not_drawn(data.entries.empty() ? "no record of a device" : "no run.json describes its devices");
  const std::vector<const Fact*> facts = published.find(figure.name, "value");
  const std::string ours = "these runs", theirs = fmt::format("published ({})", papers_of(facts));
  RowChart chart{.series_title = "source", .series = {ours}};
  if (!facts.empty()) chart.series.push_back(theirs);
  for (const Property& property : properties()) {
    RowPanel panel{.title = property.quantity.title, .value = property.quantity};
    for (const auto& [name, device] : devices)
      if (const auto value = property.of(device))
        panel.marks.push_back(mark(name, *value, ours, property.quantity, {{"Device", name}}));
    if (panel.marks.empty()) continue;
    for (const Fact* fact : facts)
      if (text(fact->at, "property") == property.name)
        panel.marks.push_back(mark(fact->device, fact->value, theirs, property.quantity,
                                   tips_of(*fact, property.quantity.unit)));
    for (const RowMark& drawn : panel.marks) panel.rows.push_back(drawn.row);
    chart.panels.push_back(std::move(panel));
  }
  if (chart.panels.empty()) return not_drawn("no run.json states a property of its devices");
  std::vector<std::string> notes{
      "As the devices describe themselves; a GPU's bandwidth from its memory clock and bus."};
  if (!facts.empty()) notes.push_back(fmt::format("Grey: published, {}.", credit(facts)));
  std::vector<const Entry*> used;
  for (const Entry& entry : data.entries) used.push_back(&entry);
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure table1() {
  return {"fm-index/table1", "Devices",
          kHeading,          "What the devices of these runs and of the paper are made of.",
          draw_table1,       /*of_samples=*/false};
}

}  // namespace gpuseq::reports::fm_index
