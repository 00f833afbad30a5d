#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/config/units.hpp"

namespace gpuseq::bench {

/// A line of the table: the value of each device, in their order.
struct ComparedRow {
  std::string name;
  Unit unit;
  std::vector<std::optional<double>> values;
};

/// Lines by name, in the order in which they come first where they are not sorted.
class ComparedRows {
 public:
  explicit ComparedRows(std::size_t devices) : devices_(devices) {}

  /// The value of a device, which is the largest of those that it has.
  void add(const std::string& name, Unit unit, std::size_t device, double value) {
    auto row = std::ranges::find(rows_, name, &ComparedRow::name);
    if (row == rows_.end())
      row = rows_.insert(rows_.end(), {name, unit, std::vector<std::optional<double>>(devices_)});
    std::optional<double>& kept = row->values[device];
    kept = std::max(kept.value_or(value), value);
  }

  std::size_t size() const { return rows_.size(); }

  /// Sorts the lines after the first `begin` by name: probes run in an order that differs from run to run.
  void sort_from(std::size_t begin) {
    std::ranges::sort(rows_.begin() + static_cast<std::ptrdiff_t>(begin), rows_.end(), {},
                      &ComparedRow::name);
  }

  std::vector<ComparedRow> compared() && {
    std::erase_if(rows_, [](const ComparedRow& row) {
      return std::ranges::count_if(row.values, [](const auto& value) { return value.has_value(); }) < 2;
    });
    return std::move(rows_);
  }

 private:
  std::size_t devices_;
  std::vector<ComparedRow> rows_;
};

// Values that only some profiles have, each from a device of a profile, as it is in machine.json.

/// By path to memory the latency of each level, the size that it serves, and the bytes of a miss.
void add_load_paths(ComparedRows& rows, std::size_t at, const nlohmann::ordered_json& device);
/// Atomics, barriers, and shared memory of other blocks of a cluster.
void add_cooperation(ComparedRows& rows, std::size_t at, const nlohmann::ordered_json& device);
/// At rest, and at the highest rate at which an operation was streamed.
void add_loaded_latency(ComparedRows& rows, std::size_t at, const nlohmann::ordered_json& device);
/// How far translation reaches by kind of page.
void add_pages(ComparedRows& rows, std::size_t at, const nlohmann::ordered_json& device);
/// Own and other nodes' memory at rest, the slowest of each.
void add_numa(ComparedRows& rows, std::size_t at, const nlohmann::ordered_json& device);

}  // namespace gpuseq::bench
