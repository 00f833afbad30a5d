#include "bench/commands/profile/compared_rows.hpp"

#include <fmt/format.h>

#include <map>

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;

constexpr double kNs = 1e-9;

/// A part of a profile; null where it lacks it.
const ordered_json& part(const ordered_json& device, const char* name) {
  static const ordered_json none;
  const auto found = device.find(name);
  return found == device.end() ? none : *found;
}

void add_if_number(ComparedRows& rows, std::size_t at, const std::string& name, Unit unit,
                   const ordered_json& value, double scale = 1) {
  if (value.is_number()) rows.add(name, unit, at, scale * value.get<double>());
}

std::string word(const ordered_json& row, const char* key) {
  return row[key].get<std::string>();
}

}  // namespace

void add_load_paths(ComparedRows& rows, std::size_t at, const ordered_json& device) {
  for (const ordered_json& path : part(device, "load_paths")) {
    const std::string name = "loads, " + word(path, "path");
    int number = 0;
    for (const ordered_json& level : path["levels"]) {
      ++number;
      add_if_number(rows, at, fmt::format("{}, latency of level {}", name, number), Unit::seconds,
                    level["latency_ns"], kNs);
      add_if_number(rows, at, fmt::format("{}, served by level {}", name, number), Unit::bytes,
                    level["served_bytes"]);
    }
    add_if_number(rows, at, name + ", a miss brings", Unit::bytes, path["fetch_bytes"]);
  }
}

void add_cooperation(ComparedRows& rows, std::size_t at, const ordered_json& device) {
  for (const ordered_json& row : part(device, "atomics"))
    rows.add(fmt::format("atomics, {} memory, {} by {} lane{} per counter", word(row, "memory"),
                         word(row, "operation"), row["conflict_lanes"].get<int>(),
                         row["conflict_lanes"] == 1 ? "" : "s"),
             Unit::hertz, at, row["rate"].get<double>());
  for (const ordered_json& row : part(device, "barriers"))
    rows.add(fmt::format("barrier of {} threads, {} block{} per multiprocessor",
                         row["threads_per_block"].get<int>(), row["blocks_per_sm"].get<int>(),
                         row["blocks_per_sm"] == 1 ? "" : "s"),
             Unit::seconds, at, row["seconds"].get<double>());
  const ordered_json& clusters = part(device, "clusters");
  if (!clusters.is_object() || !clusters["sizes"].is_array()) return;
  for (const ordered_json& row : clusters["sizes"]) {
    const std::string name =
        fmt::format("shared memory of a cluster of {}", row["cluster_blocks"].get<int>());
    add_if_number(rows, at, name, Unit::bytes_per_s, row["rate"]);
    add_if_number(rows, at, name + ", latency", Unit::seconds, row["latency_ns"], kNs);
  }
}

void add_loaded_latency(ComparedRows& rows, std::size_t at, const ordered_json& device) {
  std::map<std::string, const ordered_json*> most;  // by operation
  for (const ordered_json& row : part(device, "loaded_latency")) {
    if (row["load_bytes_per_s"] == 0) {
      rows.add("latency at rest", Unit::seconds, at, kNs * row["latency_ns"].get<double>());
      continue;
    }
    const auto [place, is_new] = most.emplace(word(row, "operation"), &row);
    if (!is_new && row["load_bytes_per_s"] > (*place->second)["load_bytes_per_s"]) place->second = &row;
  }
  for (const auto& [operation, row] : most) {
    rows.add(fmt::format("latency at the highest {} rate", operation), Unit::seconds, at,
             kNs * (*row)["latency_ns"].get<double>());
    rows.add(fmt::format("highest {} rate next to a latency chase", operation), Unit::bytes_per_s, at,
             (*row)["load_bytes_per_s"].get<double>());
  }
}

void add_pages(ComparedRows& rows, std::size_t at, const ordered_json& device) {
  for (const ordered_json& row : part(device, "tlb")) {
    const std::string name = fmt::format("translation, {} pages", word(row, "pages"));
    add_if_number(rows, at, name + ", reach", Unit::bytes, row["served_bytes"]);
    add_if_number(rows, at, name + ", a miss takes", Unit::seconds, row["extra_ns"], kNs);
  }
}

void add_numa(ComparedRows& rows, std::size_t at, const ordered_json& device) {
  const ordered_json& numa = part(device, "numa");
  if (!numa.is_object() || !numa["accesses"].is_array()) return;
  for (const ordered_json& row : numa["accesses"])
    if (row["operation"].is_null())
      rows.add(row["node"] == row["memory_node"] ? "latency, memory of the own node"
                                                 : "latency, memory of another node",
               Unit::seconds, at, kNs * row["latency_ns"].get<double>());
}

}  // namespace gpuseq::bench
