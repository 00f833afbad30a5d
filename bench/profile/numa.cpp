#include "bench/profile/numa.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "bench/config/units.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using results::Record;

/// The faster of two passes of a state: disturbance makes passes slower.
using FastestAccesses =
    std::map<std::string, std::pair<std::size_t, const Record*>>;  // by state, with its order of appearance

ordered_json numa_row(const Record& record) {
  const Point& point = record.state.point;
  const double load = record.facts.value("load_bytes_per_s", 0.0);
  return {{"node", point.integer("node")},
          {"memory_node", point.integer("memory_node")},
          {"operation", load > 0 ? ordered_json(point.word("operation")) : ordered_json(nullptr)},
          {"latency_ns", 1e9 / record.statistics->rate},
          {"load_bytes_per_s", load}};
}

}  // namespace

ordered_json numa_json(std::span<const Record> records, std::string_view device) {
  FastestAccesses fastest;
  std::string reason;
  bool any = false;
  for (const Record& record : records) {
    if (record.kind != "probe" || record.state.family != "numa_latency" || record.state.device != device)
      continue;
    any = true;
    if (record.status != results::Status::ok) {
      if (record.failure && reason.empty()) reason = record.failure->reason;
      continue;
    }
    const auto [place, is_new] =
        fastest.try_emplace(record.state.to_string(), std::pair(fastest.size(), &record));
    if (const Record*& kept = place->second.second; kept->statistics->rate < record.statistics->rate)
      kept = &record;
  }
  if (!any) return nullptr;
  std::vector<std::pair<std::size_t, const Record*>> in_order;
  for (const auto& [state, one] : fastest) in_order.push_back(one);
  std::ranges::sort(in_order);
  ordered_json rows = ordered_json::array();
  for (const auto& [place, record] : in_order) rows.push_back(numa_row(*record));
  return {{"accesses", rows.empty() ? ordered_json(nullptr) : std::move(rows)}, {"reason", reason}};
}

std::string numa_text(const ordered_json& device) {
  if (!device.contains("numa")) return "";
  const ordered_json& numa = device["numa"];
  if (!numa["accesses"].is_array())
    return fmt::format("  NUMA       none: {}\n", numa["reason"].get<std::string>());
  std::map<std::pair<int, int>, std::string> pairs;
  for (const ordered_json& row : numa["accesses"]) {
    std::string& text = pairs[{row["node"].get<int>(), row["memory_node"].get<int>()}];
    text += fmt::format("{}{:.3g} ns {}", text.empty() ? "" : ", ", row["latency_ns"].get<double>(),
                        row["operation"].is_null()
                            ? "at rest"
                            : fmt::format("next to {} at {}B/s", row["operation"].get<std::string>(),
                                          prefixed(row["load_bytes_per_s"].get<double>())));
  }
  std::string text;
  for (const auto& [nodes, times] : pairs)
    text += fmt::format("  {:11}from node {} to memory of {}: {}\n", text.empty() ? "NUMA" : "", nodes.first,
                        nodes.second, times);
  return text;
}

}  // namespace gpuseq::bench
