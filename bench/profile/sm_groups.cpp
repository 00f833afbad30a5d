#include "bench/profile/sm_groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "bench/config/units.hpp"
#include "bench/profile/rate_json.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using results::Record;

constexpr const char* kByGroup = "sm_group";

ordered_json row_of(const Record& record) {
  ordered_json row = record.state.point.to_json();
  add_rate(row, record);
  return row;
}

std::vector<std::vector<int>> groups_of(const ordered_json& device) {
  auto groups = device["windows"]["sm_groups"]["groups"].get<std::vector<std::vector<int>>>();
  std::ranges::stable_sort(groups, std::ranges::greater(), [](const auto& group) { return group.size(); });
  return groups;
}

/// Group by number of an SM; -1 for unused numbers.
std::vector<int> group_by_number(const std::vector<std::vector<int>>& groups) {
  std::vector<int> group_of;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const int number : groups[g]) {
      const auto place = static_cast<std::size_t>(number);
      if (group_of.size() <= place) group_of.resize(place + 1, -1);
      group_of[place] = static_cast<int>(g);
    }
  return group_of;
}

/// "by 24 groups of 4 to 6 multiprocessors"
std::string groups_text(const ordered_json& device) {
  const auto groups = groups_of(device);
  const std::size_t most = groups.front().size(), least = groups.back().size();
  return fmt::format("by {} groups of {} multiprocessors", groups.size(),
                     least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most));
}

}  // namespace

ordered_json windows_json(std::span<const Record> records, std::string_view device) {
  ordered_json windows{{"rates", ordered_json::array()}, {"sm_groups", nullptr}, {"reason", ""}};
  bool any = false;
  for (const Record& record : records) {
    if (record.kind != "probe" || record.state.family != "windows" || record.state.device != device) continue;
    any = true;
    if (record.status == results::Status::ok) {
      windows["rates"].push_back(row_of(record));
      if (const json& facts = *record.facts; facts.contains("sm_groups")) {
        windows["sm_groups"] = facts["sm_groups"];
        windows["sm_groups"]["footprint_bytes"] = record.state.point.integer("footprint_bytes");
      }
    } else if (record.state.point.word("assigned_by") == kByGroup && record.failure) {
      windows["reason"] = record.failure->reason;
    }
  }
  return any ? windows : ordered_json(nullptr);
}

bool has_sm_groups(const ordered_json& device) {
  return device.contains("windows") && device["windows"].is_object() &&
         device["windows"]["sm_groups"].is_object() && !device["windows"]["sm_groups"]["groups"].empty();
}

std::string windows_text(const ordered_json& device) {
  if (!device.contains("windows") || !device["windows"].is_object()) return "";
  // At the largest block size and the largest footprint.
  const ordered_json& rates = device["windows"]["rates"];
  double footprint = 0, block = 0;
  for (const ordered_json& row : rates) {
    footprint = std::max(footprint, row["footprint_bytes"].get<double>());
    block = std::max(block, row["block_bytes"].get<double>());
  }
  std::string text;
  for (const ordered_json& row : rates) {
    if (row["footprint_bytes"].get<double>() != footprint || row["block_bytes"].get<double>() != block)
      continue;
    const int windows = row["windows"].get<int>();
    const std::string who = windows == 1 ? "everywhere"
                            : row["assigned_by"] == kByGroup && has_sm_groups(device)
                                ? groups_text(device)
                                : "by number of the multiprocessor";
    text += fmt::format("{}{} {}B/s", text.empty() ? "" : ", ",
                        windows == 1 ? who : fmt::format("in {} windows {}", windows, who),
                        prefixed(row["rate"].get<double>()));
  }
  if (!text.empty())
    text = fmt::format("  windows    {} in {:.0f} B blocks: {}\n", bytes_text(footprint), block, text);
  if (const std::string reason = device["windows"]["reason"].get<std::string>(); !reason.empty())
    text += fmt::format("  no groups of multiprocessors: {}\n", reason);
  if (has_sm_groups(device) && !device["windows"]["sm_groups"].value("clear", false))
    text += "  groups of multiprocessors are uncertain: some pairs give no clear answer\n";
  return text;
}

std::string sm_groups_header(const ordered_json& device) {
  const auto groups = groups_of(device);
  const std::vector<int> group_of = group_by_number(groups);
  const std::string uuid = device["stated"].value("uuid", "");
  std::string table;
  for (std::size_t number = 0; number < group_of.size(); ++number)
    table += fmt::format("{}{},", number % 16 == 0 ? "\n      " : " ", group_of[number]);
  table.pop_back();
  return fmt::format(
      R"(// Which multiprocessors of one GPU share a cache of address translations, as gpuseq-bench found them.
// {0}, {1}: groups differ from board to board, so a program should compare the UUID.
#ifndef SM_GROUPS_HPP
#define SM_GROUPS_HPP

#ifdef __CUDACC__
#define SM_GROUPS_FUNCTION __host__ __device__ inline
#else
#define SM_GROUPS_FUNCTION inline
#endif

namespace sm_groups {{

constexpr const char* device_uuid = "{1}";
constexpr int group_count = {2};
constexpr int multiprocessor_numbers = {3};

/// Group of the multiprocessor with a number (%smid in PTX), from 0, largest first; -1: none has this number.
SM_GROUPS_FUNCTION int group_of(unsigned multiprocessor) {{
  constexpr short groups[] = {{{4}}};
  return multiprocessor < multiprocessor_numbers ? groups[multiprocessor] : -1;
}}

/// Window of so many that a multiprocessor should read, so that each group keeps to one and all have alike many.
SM_GROUPS_FUNCTION int window_of(unsigned multiprocessor, int windows) {{
  const int group = group_of(multiprocessor);
  return group < 0 ? 0 : group % windows;
}}

}}  // namespace sm_groups

#endif  // SM_GROUPS_HPP
)",
      device["name"].get<std::string>(), uuid, groups.size(), group_of.size(), table);
}

}  // namespace gpuseq::bench
