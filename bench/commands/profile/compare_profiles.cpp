#include "bench/commands/profile/compare_profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "bench/bound/curves.hpp"
#include "bench/commands/profile/compared_rows.hpp"
#include "bench/config/units.hpp"
#include "bench/profile/text_table.hpp"

namespace gpuseq::bench {
namespace {

using chart::LineChart;
using nlohmann::ordered_json;

constexpr std::array kBlockBytes{32, 64, 128};
/// One within each level that today's devices have, and beyond the reach of their translation.
constexpr std::array<double, 7> kFootprints{0x1p14, 0x1p18, 0x1p22, 0x1p24, 0x1p28, 0x1p32, 0x1p36};

using Points = std::map<double, double>;  // footprint -> value

/// The best that any of a device's curves shows at each footprint: of blocks of so many bytes that are read
/// independently of each other, on the CPU with all threads; or, without a size of block, the latency.
Points best_points(const ordered_json& device, std::optional<int> block_bytes) {
  Points best;
  for (const ordered_json& curve : device["curves"]) {
    const ordered_json& point = curve["point"];
    if (curve["probe"] != (block_bytes ? "random_access" : "latency")) continue;
    if (block_bytes && (point.value("access", ordered_json()) != "independent" ||
                        point.value("block_bytes", ordered_json()) != *block_bytes ||
                        point.value("threads", ordered_json(0)) != 0))
      continue;
    for (const ordered_json& at : curve["points"]) {
      const double value = at["median"].get<double>();
      const auto [kept, is_new] = best.try_emplace(at["footprint_bytes"].get<double>(), value);
      if (!is_new) kept->second = block_bytes ? std::max(kept->second, value) : std::min(kept->second, value);
    }
  }
  return best;
}

/// Log-log between two points; none beyond the first and the last.
std::optional<double> value_at(const Points& points, double footprint) {
  const auto above = points.lower_bound(footprint);
  if (above == points.end()) return {};
  if (above->first == footprint) return above->second;
  if (above == points.begin()) return {};
  return log_log(footprint, *std::prev(above), *above);
}

/// The vendor's values; bandwidth is known of published devices alone.
void add_stated(ComparedRows& rows, std::size_t at, const ordered_json& device) {
  const auto add = [&](const char* name, Unit unit, const char* key) {
    if (const auto found = device["stated"].find(key); found != device["stated"].end() && found->is_number())
      rows.add(name, unit, at, found->get<double>());
  };
  add("size of memory", Unit::bytes, "memory_bytes");
  add("bandwidth of memory, stated", Unit::bytes_per_s, "memory_bandwidth_bytes_per_s");
}

void add_levels(ComparedRows& rows, std::size_t at, const ordered_json& device) {
  for (const ordered_json& level : device["levels"])
    if (level["stated_bytes"].is_number() || level.value("kind", "") == "tlb")  // else it has no name
      rows.add("size of " + level["name"].get<std::string>(), Unit::bytes, at,
               level["measured_bytes"].get<double>());
}

void add_memory(ComparedRows& rows, std::span<const ComparedDevice> devices) {
  const auto add = [&](const std::string& name, Unit unit, std::optional<int> block_bytes, double scale) {
    for (const double footprint : kFootprints)
      for (std::size_t at = 0; at < devices.size(); ++at)
        if (const auto value = value_at(best_points(devices[at].device, block_bytes), footprint))
          rows.add(fmt::format("{} at {}", name, format_value(footprint, Unit::bytes)), unit, at,
                   *value * scale);
  };
  add("latency", Unit::seconds, {}, 1e-9);
  for (const int bytes : kBlockBytes)
    add(fmt::format("random blocks of {} B", bytes), Unit::bytes_per_s, bytes, 1);
}

/// ", 1 thread" or ", all threads" for a row with such an axis.
std::string threads_text(const ordered_json& row) {
  if (!row.contains("threads")) return "";
  const double threads = row["threads"].get<double>();
  return threads == 0 ? ", all threads" : fmt::format(", {:.0f} thread{}", threads, threads == 1 ? "" : "s");
}

void add_sequential(ComparedRows& rows, std::size_t at, const ordered_json& device) {
  double largest = 0;
  for (const ordered_json& row : device["sequential"])
    largest = std::max(largest, row.value("footprint_bytes", 0.0));
  for (const ordered_json& row : device["sequential"])
    if (row.value("footprint_bytes", 0.0) == largest)
      rows.add("in order, " + row["operation"].get<std::string>() + threads_text(row), Unit::bytes_per_s, at,
               row["rate"].get<double>());
}

void add_instructions(ComparedRows& rows, std::size_t at, const ordered_json& device) {
  for (const ordered_json& row : device["instructions"]) {
    const std::string target = row.value("target", "");
    rows.add(fmt::format("{}{}{}{}", row["operation"].get<std::string>(), target.empty() ? "" : " ", target,
                         threads_text(row)),
             Unit::hertz, at, row["rate"].get<double>());
  }
}

void add_launches(ComparedRows& rows, std::size_t at, const ordered_json& device) {
  for (const ordered_json& row : device["launches"])
    rows.add(fmt::format("launch of {:.0f} blocks", row["blocks"].get<double>()), Unit::seconds, at,
             row["seconds"].get<double>());
}

/// The best of every size and footprint.
void add_host_link(ComparedRows& rows, std::size_t at, const ordered_json& device) {
  if (!device.contains("host_link")) return;
  const ordered_json& link = device["host_link"];
  for (const ordered_json& row : link["transfers"])
    rows.add(fmt::format("host link, {} {}", row["memory"].get<std::string>(),
                         row["direction"].get<std::string>()),
             Unit::bytes_per_s, at, row["rate"].get<double>());
  for (const ordered_json& row : link["zero_copy_sequential"])
    rows.add("zero copy, " + row["operation"].get<std::string>() + " in order", Unit::bytes_per_s, at,
             row["rate"].get<double>());
  for (const ordered_json& row : link["zero_copy"])
    rows.add(fmt::format("zero copy, random blocks of {} B", row["block_bytes"].get<int>()),
             Unit::bytes_per_s, at, row["rate"].get<double>());
}

/// The best over all neighbours, sizes and footprints.
void add_neighbours(ComparedRows& rows, std::size_t at, const ordered_json& device) {
  if (!device.contains("peers")) return;
  for (const ordered_json& neighbour : device["peers"]) {
    for (const ordered_json& row : neighbour["transfers"])
      rows.add("copies of peers, " + row["direction"].get<std::string>(), Unit::bytes_per_s, at,
               row["rate"].get<double>());
    for (const ordered_json& row : neighbour["access_sequential"])
      rows.add("memory of peers, " + row["operation"].get<std::string>() + " in order", Unit::bytes_per_s, at,
               row["rate"].get<double>());
    for (const ordered_json& row : neighbour["access"])
      rows.add(fmt::format("memory of peers, random blocks of {} B", row["block_bytes"].get<int>()),
               Unit::bytes_per_s, at, row["rate"].get<double>());
  }
}

/// The best over a working set as large as the memory of the device.
void add_windows(ComparedRows& rows, std::size_t at, const ordered_json& device) {
  if (!device.contains("windows")) return;
  for (const ordered_json& row : device["windows"]["rates"]) {
    const int windows = row["windows"].get<int>();
    const std::string who = windows == 1                       ? "everywhere"
                            : row["assigned_by"] == "sm_group" ? "in windows by groups of multiprocessors"
                                                               : "in windows by numbers of multiprocessors";
    rows.add(fmt::format("random blocks of {} B over all memory, {}", row["block_bytes"].get<int>(), who),
             Unit::bytes_per_s, at, row["rate"].get<double>());
  }
}

std::string cell(const ComparedRow& row, std::size_t at) {
  if (!row.values[at]) return "-";
  const auto first = std::ranges::find_if(row.values, [](const auto& value) { return value.has_value(); });
  std::string text = row.unit == Unit::hertz ? format_value(*row.values[at], Unit::number_si) + "/s"
                                             : format_value(*row.values[at], row.unit);
  if (first == row.values.begin() + static_cast<std::ptrdiff_t>(at)) return text;
  return fmt::format("{} ({})", text, format_value(*row.values[at] / **first, Unit::ratio));
}

void add_panel(LineChart& chart, const std::string& title, std::span<const ComparedDevice> devices,
               std::optional<int> block_bytes) {
  chart::Panel panel{.title = title};
  if (!block_bytes) panel.y = chart::Quantity{.title = "latency", .unit = Unit::seconds, .log = true};
  for (const ComparedDevice& one : devices)
    for (const auto& [footprint, value] : best_points(one.device, block_bytes))
      panel.marks.push_back({.x = footprint,
                             .y = block_bytes ? value : 1e-9 * value,
                             .series = one.label,
                             .tips = {{"Device", one.label}}});
  if (!panel.marks.empty()) chart.panels.push_back(std::move(panel));
}

}  // namespace

std::vector<ComparedDevice> devices_of(std::span<const NamedProfile> profiles) {
  std::map<std::string, int> named;
  for (const NamedProfile& profile : profiles)
    for (const ordered_json& device : profile.profile["devices"]) ++named[device["name"].get<std::string>()];
  std::vector<ComparedDevice> devices;
  for (const NamedProfile& profile : profiles) {
    for (const auto& [id, device] : profile.profile["devices"].items()) {
      std::string label = device["name"].get<std::string>();
      if (named[label] > 1) label += fmt::format(" ({}, {})", profile.name, id);
      if (profile.profile.value("origin", "measured") == "published") label += ", published";
      devices.push_back({std::move(label), id.starts_with("cpu"), device});
    }
  }
  return devices;
}

namespace {

/// Empty where no two of the devices have a value of the same.
std::string table_of(std::span<const ComparedDevice> devices) {
  ComparedRows rows(devices.size());
  for (std::size_t at = 0; at < devices.size(); ++at) add_stated(rows, at, devices[at].device);
  for (std::size_t at = 0; at < devices.size(); ++at) add_levels(rows, at, devices[at].device);
  add_memory(rows, devices);
  for (std::size_t at = 0; at < devices.size(); ++at) add_windows(rows, at, devices[at].device);
  for (const auto add : {add_sequential, add_instructions}) {
    const std::size_t begin = rows.size();
    for (std::size_t at = 0; at < devices.size(); ++at) add(rows, at, devices[at].device);
    rows.sort_from(begin);
  }
  for (std::size_t at = 0; at < devices.size(); ++at) add_launches(rows, at, devices[at].device);
  for (std::size_t at = 0; at < devices.size(); ++at) add_load_paths(rows, at, devices[at].device);
  for (std::size_t at = 0; at < devices.size(); ++at) add_cooperation(rows, at, devices[at].device);
  for (std::size_t at = 0; at < devices.size(); ++at) add_loaded_latency(rows, at, devices[at].device);
  for (std::size_t at = 0; at < devices.size(); ++at) add_pages(rows, at, devices[at].device);
  for (std::size_t at = 0; at < devices.size(); ++at) add_numa(rows, at, devices[at].device);
  for (std::size_t at = 0; at < devices.size(); ++at) add_host_link(rows, at, devices[at].device);
  for (std::size_t at = 0; at < devices.size(); ++at) add_neighbours(rows, at, devices[at].device);
  std::vector<std::vector<std::string>> lines{{""}};
  for (const ComparedDevice& device : devices) lines.front().push_back(device.label);
  for (const ComparedRow& row : std::move(rows).compared()) {
    lines.push_back({row.name});
    for (std::size_t at = 0; at < devices.size(); ++at) lines.back().push_back(cell(row, at));
  }
  return lines.size() == 1 ? std::string() : text_table(lines) + "\n";
}

}  // namespace

std::string comparison_text(std::span<const ComparedDevice> devices) {
  std::vector<ComparedDevice> processors, accelerators;
  for (const ComparedDevice& device : devices) (device.is_cpu ? processors : accelerators).push_back(device);
  std::string text;
  if (processors.size() > 1) text += table_of(processors);
  if (accelerators.size() > 1) text += table_of(accelerators);
  if (processors.size() < 2 && accelerators.size() < 2) text = table_of(devices);
  if (text.empty()) return "nothing that two of these devices have a value of\n";
  return text + "In brackets: times the first device's value.\n";
}

LineChart comparison_chart(std::span<const ComparedDevice> devices) {
  LineChart chart{
      .heading = {.title = "Memory of several devices",
                  .notes = {"Each mark: the best of the device's probes at that footprint, independent "
                            "accesses, on CPUs with all threads."},
                  .description = "Random bandwidth by size of block, and latency, over footprint"},
      .x = {.title = "footprint", .unit = Unit::bytes, .log = true},
      .y = {.title = "random-access bandwidth", .unit = Unit::bytes_per_s, .log = true},
      .series_title = "device"};
  for (const int bytes : kBlockBytes) add_panel(chart, fmt::format("blocks of {} B", bytes), devices, bytes);
  add_panel(chart, "latency", devices, {});
  // A published profile may have nothing that is drawn.
  for (const ComparedDevice& device : devices)
    if (std::ranges::any_of(chart.panels, [&](const auto& panel) {
          return std::ranges::find(panel.marks, device.label, &chart::Mark::series) != panel.marks.end();
        }))
      chart.series.push_back(device.label);
  return chart;
}

}  // namespace gpuseq::bench
