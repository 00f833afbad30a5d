#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/config/units.hpp"
#include "bench/profile/caches/associativity.hpp"
#include "bench/profile/caches/l2_sides.hpp"
#include "bench/profile/caches/load_paths.hpp"
#include "bench/profile/cooperation.hpp"
#include "bench/profile/level_details.hpp"
#include "bench/profile/machine_profile.hpp"
#include "bench/profile/numa.hpp"
#include "bench/profile/occupancy.hpp"
#include "bench/profile/page_sizes.hpp"
#include "bench/profile/peers.hpp"
#include "bench/profile/rates_text.hpp"
#include "bench/profile/sm_groups.hpp"
#include "bench/profile/text_table.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostColumns = 4;
constexpr std::size_t kWidth = 80;
using Rows = std::vector<std::vector<std::string>>;

/// The footprints that a level serves: above the nearer level's end, up to its own.
struct Region {
  std::string name, measured, stated, shared_by;
  double from = 0, to = INFINITY;
  double footprint = 0;  // in its middle

  bool has(double footprint_bytes) const { return footprint_bytes > from && footprint_bytes <= to; }
};

double number(const ordered_json& object, const char* key) {
  return object.contains(key) && object[key].is_number() ? object[key].get<double>() : 0;
}

double largest_footprint(const ordered_json& device) {
  double largest = 0;
  for (const ordered_json& curve : device["curves"])
    for (const ordered_json& point : curve["points"])
      largest = std::max(largest, number(point, "footprint_bytes"));
  return largest;
}

/// Empty for profiles from papers, which have no intervals.
std::string interval_text(const ordered_json& level) {
  if (!level["low_bytes"].is_number() || !level["high_bytes"].is_number()) return "";
  return fmt::format(" ({} to {})", bytes_text(number(level, "low_bytes")),
                     bytes_text(number(level, "high_bytes")));
}

/// The begin of main memory: behind every measured or stated level. Infinite if no level is known.
double end_of_levels(const ordered_json& device) {
  double end = 0;
  for (const ordered_json& level : device["levels"])
    end = std::max({end, number(level, "measured_bytes"), number(level, "stated_bytes")});
  for (const ordered_json& level : device["stated_only"]) end = std::max(end, number(level, "stated_bytes"));
  return end > 0 ? end : INFINITY;
}

std::vector<Region> regions_of(const ordered_json& device) {
  std::vector<Region> regions;
  double nearer = 0;
  for (const ordered_json& level : device["levels"]) {
    const double end = number(level, "measured_bytes");
    const bool stated = level["stated_bytes"].is_number();
    regions.push_back({.name = level["name"].get<std::string>() + (level["uncertain"].get<bool>() ? "?" : ""),
                       .measured = bytes_text(end) + interval_text(level),
                       .stated = stated ? bytes_text(level["stated_bytes"].get<double>()) : "-",
                       .shared_by = sharing_text(level),
                       .from = nearer,
                       .to = end,
                       .footprint = nearer > 0 ? std::sqrt(nearer * end) : end / 2});
    nearer = end;
  }
  const double all = number(device["stated"], "memory_bytes");
  regions.push_back({.name = "memory",
                     .measured = "-",
                     .stated = all > 0 ? bytes_text(all) : "-",
                     .shared_by = "-",
                     .from = end_of_levels(device),
                     .footprint = largest_footprint(device)});
  return regions;
}

/// The value of the point in a region that is nearest to its middle; 0 if the region has no points.
double value_in(const ordered_json& curve, const Region& region) {
  double value = 0, least = INFINITY;
  for (const ordered_json& point : curve["points"]) {
    const double bytes = number(point, "footprint_bytes");
    const double away = std::fabs(std::log2(bytes / region.footprint));
    if (!region.has(bytes) || away >= least) continue;
    least = away;
    value = number(point, "median");
  }
  return value;
}

/// A column of the table of levels.
struct Column {
  std::string title;
  bool is_latency = false;
  std::vector<const ordered_json*> curves = {};

  /// The best value of its curves in a region; "-" if no curve has a point there.
  std::string text(const Region& region) const {
    double best = 0;
    for (const ordered_json* curve : curves)
      if (const double value = value_in(*curve, region); value > 0)
        best = best == 0 ? value : is_latency ? std::min(best, value) : std::max(best, value);
    if (best == 0) return "-";
    return is_latency ? fmt::format("{:.3g} ns", best) : prefixed(best) + "B/s";
  }
};

/// "64 B, all thr.": block size and threads of a curve of independent accesses.
std::string access_title(const ordered_json& point) {
  std::string title = fmt::format("{:.0f} B", number(point, "block_bytes"));
  if (point.contains("threads"))
    title +=
        number(point, "threads") == 0 ? ", all thr." : fmt::format(", {:.0f} thr.", number(point, "threads"));
  return title;
}

std::vector<Column> columns_of(const ordered_json& device) {
  std::vector<Column> columns{{.title = "latency", .is_latency = true}};
  std::map<std::pair<double, double>, Column> random;  // by threads and size of block
  for (const ordered_json& curve : device["curves"]) {
    const ordered_json& point = curve["point"];
    if (curve["probe"] == "latency") columns.front().curves.push_back(&curve);
    if (curve["probe"] != "random_access" || point.value("access", "") != "independent") continue;
    Column& column = random[{number(point, "threads"), number(point, "block_bytes")}];
    column.title = access_title(point);
    column.curves.push_back(&curve);
  }
  for (auto& [key, column] : random)
    if (columns.size() <= kMostColumns) columns.push_back(std::move(column));
  return columns;
}

/// "random_access of 128 B alone shows it", "latency does not change there".
std::string doubt_text(const ordered_json& level) {
  if (level["evidence"].size() != 1) return level.value("doubt", "no curve shows it on its own");
  const auto curve = level["evidence"][0]["curve"].get<std::string>();
  const std::string probe = curve.substr(0, curve.find(' '));
  return (probe == "latency"
              ? probe
              : fmt::format("{} of {}", probe, bytes_text(number(level["evidence"][0], "block_bytes")))) +
         " alone shows it";
}

/// The rows as a table; as two, if it would be wider than kWidth: the second has the first column and those
/// from `second` on.
std::string one_or_two_tables(const Rows& rows, std::ptrdiff_t second) {
  std::string text = text_table(rows);
  if (text.find('\n') <= kWidth) return text;
  Rows left, right;
  for (const std::vector<std::string>& row : rows) {
    left.emplace_back(row.begin(), row.begin() + second);
    right.emplace_back(row.begin() + second, row.end());
    right.back().insert(right.back().begin(), row.front());
  }
  return text_table(left) + text_table(right);
}

std::string levels_text(const ordered_json& device) {
  const std::vector<Column> columns = columns_of(device);
  const ordered_json all_fetches = device.value("fetch", ordered_json::array());
  Rows rows{{"level", "size (95 %)", "stated", "shared by", "fetch"}};
  for (const Column& column : columns) rows.front().push_back(column.title);
  for (const Region& region : regions_of(device)) {
    ordered_json fetch = ordered_json::array();
    for (const ordered_json& one : all_fetches)
      if (region.has(number(one, "footprint_bytes"))) fetch.push_back(one);
    std::vector<std::string> row{region.name, region.measured, region.stated, region.shared_by,
                                 fetch_text(fetch, region.footprint)};
    for (const Column& column : columns) row.push_back(column.text(region));
    rows.push_back(std::move(row));
  }
  std::string text = one_or_two_tables(rows, 6);  // after the latency
  for (const ordered_json& level : device["stated_only"])
    text += fmt::format("  {} of {} does not show: {}\n", level["name"].get<std::string>(),
                        bytes_text(number(level, "stated_bytes")), level["reason"].get<std::string>());
  if (!device.contains("unconfirmed")) return text;
  for (const ordered_json& level : device["unconfirmed"])
    text += fmt::format("  a rise at {} is taken for no level: {}\n",
                        bytes_text(number(level, "measured_bytes")), doubt_text(level));
  return text;
}

/// Sequential rates at the largest probed footprint, which is named if it is not in main memory.
std::string sequential_text(const ordered_json& device) {
  std::string text = largest_text(device["sequential"], operation_of);
  if (text.empty()) return text;
  double largest = 0;
  for (const ordered_json& row : device["sequential"])
    largest = std::max(largest, number(row, "footprint_bytes"));
  const double end = end_of_levels(device);
  const bool in_caches = largest > 0 && std::isfinite(end) && largest <= end;
  return fmt::format("  in order   {}{}\n", text, in_caches ? " (in " + bytes_text(largest) + ")" : "");
}

/// "pinned both 98 GB/s, to_device 55 GB/s; pageable to_device 12 GB/s": the best of all sizes.
std::string copies_text(const ordered_json& transfers) {
  std::map<std::string, std::map<std::string, double>, std::greater<>> best;  // by memory, pinned first
  for (const ordered_json& row : transfers) {
    double& rate = best[row["memory"].get<std::string>()][row["direction"].get<std::string>()];
    rate = std::max(rate, number(row, "rate"));
  }
  std::string text;
  for (const auto& [memory, rates] : best) {
    text += (text.empty() ? "" : "; ") + memory;
    for (const auto& [direction, rate] : rates)
      text +=
          fmt::format("{} {} {}B/s", direction == rates.begin()->first ? "" : ",", direction, prefixed(rate));
  }
  return text;
}

/// "4 KiB to_device 9.1 us, to_host 10 us": for pinned memory, including the call if that was timed.
std::string small_copies_text(const ordered_json& transfers) {
  double least = INFINITY;
  for (const ordered_json& row : transfers) least = std::min(least, number(row, "transfer_bytes"));
  std::map<std::string, double> seconds;
  for (const ordered_json& row : transfers)
    if (number(row, "transfer_bytes") == least && row["memory"] == "pinned" && row["direction"] != "both")
      seconds[row["direction"].get<std::string>()] =
          number(row, row["alone_seconds"].is_number() ? "alone_seconds" : "seconds");
  std::string text;
  for (const auto& [direction, time] : seconds)
    text += fmt::format("{} {} {:.3g} us", text.empty() ? bytes_text(least) : ",", direction, 1e6 * time);
  return text;
}

std::string host_link_text(const ordered_json& device) {
  if (!device.contains("host_link")) return "";
  const ordered_json& link = device["host_link"];
  const std::string in_order = largest_text(link["zero_copy_sequential"], operation_of);
  const std::string random = largest_text(link["zero_copy"], blocks_of);
  std::vector<std::string> lines;
  if (const std::string text = copies_text(link["transfers"]); !text.empty()) lines.push_back(text);
  if (const std::string text = small_copies_text(link["transfers"]); !text.empty())
    lines.push_back("a copy of " + text);
  if (!in_order.empty()) lines.push_back("kernels in order " + in_order);
  if (!random.empty()) lines.push_back("kernels at random " + random);
  std::string text;
  for (const std::string& line : lines)
    text += fmt::format("  {:11}{}\n", text.empty() ? "host link" : "", line);
  return text;
}

/// "under load 95 ns at rest, 180 ns next to read at 21 GB/s": at the highest load of the others.
std::string loaded_latency_text(const ordered_json& device) {
  if (!device.contains("loaded_latency")) return "";
  std::map<std::string, const ordered_json*> most;  // by operation; the first is at rest
  for (const ordered_json& row : device["loaded_latency"]) {
    const ordered_json*& kept =
        most[number(row, "load_bytes_per_s") > 0 ? row["operation"].get<std::string>() : ""];
    if (!kept || number(*kept, "load_bytes_per_s") < number(row, "load_bytes_per_s")) kept = &row;
  }
  std::string text;
  for (const auto& [operation, row] : most)
    text += fmt::format("{}{:.3g} ns {}", text.empty() ? "  under load " : ", ", number(*row, "latency_ns"),
                        operation.empty() ? "at rest"
                                          : fmt::format("next to {} at {}B/s", operation,
                                                        prefixed(number(*row, "load_bytes_per_s"))));
  return text.empty() ? text : text + "\n";
}

/// The fastest operation of each pipe, and every matrix product, as no two of them do the same work.
std::string instructions_text(const ordered_json& device) {
  std::map<std::pair<std::string, std::string>, const ordered_json*> best;
  for (const ordered_json& row : device["instructions"]) {
    const std::string operation = row["operation"].get<std::string>(), pipe = row["pipe"].get<std::string>();
    if (operation.find('+') != std::string::npos) continue;  // two interleaved operations
    const ordered_json*& kept = best[{pipe, pipe == "tensor" ? operation : ""}];
    if (!kept || number(*kept, "rate") < number(row, "rate")) kept = &row;
  }
  std::string text;
  for (const auto& [place, row] : best) {
    const std::string target = row->value("target", "");
    const double rate = number(*row, "rate"), multiply_adds = number(*row, "multiply_adds");
    text += fmt::format(
        "{}{}: {} {}{}", text.empty() ? "  executes   " : ", ", place.first,
        (*row)["operation"].get<std::string>(), target.empty() ? "" : target + " ",
        multiply_adds > 0 ? fmt::format("{:.4g} TOPS", 2e-12 * rate * multiply_adds) : prefixed(rate) + "/s");
  }
  return text.empty() ? text : text + "\n";
}

std::string launch_text(const ordered_json& device) {
  std::string text;
  for (const ordered_json& row : device["launches"])
    text += fmt::format("{}{:.0f} blocks {:.3g} us", text.empty() ? "  launches   " : ", ",
                        number(row, "blocks"), 1e6 * number(row, "seconds"));
  return text.empty() ? text : text + "\n";
}

/// A paper's remarks on a device, each with its place in the paper.
std::string remarks_text(const ordered_json& device) {
  if (!device.contains("remarks")) return "";
  std::string text;
  for (const ordered_json& remark : device["remarks"])
    text += fmt::format(
        "  {} {} ({})\n", remark["label"].get<std::string>(),
        format_value(remark["value"].get<double>(), remark["unit"] == "share" ? Unit::share : Unit::bytes),
        remark["source"].get<std::string>());
  return text;
}

std::string quiet_text(const ordered_json& device) {
  if (!device.contains("quiet")) return "";
  const ordered_json& quiet = device["quiet"];
  std::string text = fmt::format("  this machine is {}", quiet["verdict"].get<std::string>());
  if (quiet["spread"].is_number())
    text += fmt::format(": samples of a probe spread by {:.1f} %", 100 * quiet["spread"].get<double>());
  if (const double points = number(quiet, "points"); points > 0)
    text +=
        fmt::format(", {:.0f} of {:.0f} points were disturbed", number(quiet, "disturbed_points"), points);
  if (const double throttled = number(quiet, "discarded_throttled"); throttled > 0)
    text += fmt::format(", {:.0f} samples at low clocks were dropped", throttled);
  if (const double disturbed = number(quiet, "discarded_disturbed"); disturbed > 0)
    text += fmt::format(", {:.0f} disturbed samples were dropped", disturbed);
  if (quiet.contains("others_share") && quiet["others_share"].is_number())
    text += fmt::format(
        ", other processes took {:.1f} % of the processors' time and other guests of the host {:.1f} %",
        100 * number(quiet, "others_share"), 100 * number(quiet, "steal_share"));
  return text + "\n";
}

}  // namespace

std::string profile_text(const ordered_json& profile) {
  const bool published = profile.value("origin", "measured") == "published";
  std::string text;
  for (const auto& [id, device] : profile["devices"].items()) {
    text += fmt::format("\n{}: {}{}\n", id, device["name"].get<std::string>(),
                        published ? ", published in " + profile.value("source", "") : "");
    text += levels_text(device) + translation_text(device) + associativity_text(device) +
            l2_sides_text(device) + load_paths_text(device) + sequential_text(device) + windows_text(device) +
            occupancy_text(device) + loaded_latency_text(device) + numa_text(device) +
            host_link_text(device) + peers_text(device) + instructions_text(device) +
            cooperation_text(device) + launch_text(device) + remarks_text(device) + quiet_text(device);
  }
  return text;
}

}  // namespace gpuseq::bench
