#include "bench/profile/cooperation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "bench/config/units.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;

/// "shared add 8.3 T/s (one counter a warp 260 G/s), ...": the best rate of each memory and operation.
std::string atomics_text(const ordered_json& rows) {
  std::map<std::string, std::map<int, double>> best;  // by lanes that share a counter
  for (const ordered_json& row : rows) {
    const std::string what = row["memory"].get<std::string>() + " " + row["operation"].get<std::string>();
    double& kept = best[what][row["conflict_lanes"].get<int>()];
    kept = std::max(kept, row["rate"].get<double>());
  }
  std::string text;
  for (const auto& [what, rates] : best) {
    text += fmt::format("{}{} {}/s", text.empty() ? "" : ", ", what, prefixed(rates.begin()->second));
    if (rates.size() > 1)
      text += fmt::format(" ({} lanes per counter {}/s)", rates.rbegin()->first,
                          prefixed(rates.rbegin()->second));
  }
  return text;
}

/// "64 threads 12 ns, 1024 threads 31 ns": with the fewest blocks per SM.
std::string barriers_text(const ordered_json& rows) {
  std::map<int, std::pair<int, double>> least;  // by threads per block: blocks, seconds
  for (const ordered_json& row : rows) {
    const std::pair<int, double> here{row["blocks_per_sm"].get<int>(), row["seconds"].get<double>()};
    const auto [place, is_new] = least.try_emplace(row["threads_per_block"].get<int>(), here);
    if (!is_new) place->second = std::min(place->second, here);
  }
  std::string text;
  for (const auto& [threads, time] : least)
    text += fmt::format("{}{} threads {:.3g} ns", text.empty() ? "" : ", ", threads, 1e9 * time.second);
  return text;
}

/// "own block 31 TB/s, 30 clk; of 2 blocks 3.2 TB/s, 190 clk"
std::string clusters_text(const ordered_json& clusters) {
  std::string text;
  for (const ordered_json& row : clusters["sizes"]) {
    const int blocks = row["cluster_blocks"].get<int>();
    text += fmt::format("{}{}", text.empty() ? "" : "; ",
                        blocks == 1 ? "own block" : fmt::format("of {} blocks", blocks));
    if (row["rate"].is_number()) text += fmt::format(" {}B/s", prefixed(row["rate"].get<double>()));
    if (row["latency_clocks"].is_number())
      text += fmt::format("{} {:.3g} clk", row["rate"].is_number() ? "," : "",
                          row["latency_clocks"].get<double>());
  }
  const auto reason = clusters["reason"].get<std::string>();
  if (reason.empty()) return text;
  return text.empty() ? "none: " + reason : text + "; not all: " + reason;
}

}  // namespace

ordered_json clusters_json(std::span<const results::Record> records, std::string_view device) {
  std::map<std::int64_t, ordered_json> sizes;  // by blocks
  std::string reason;
  bool any = false;
  for (const results::Record& record : records) {
    if (record.kind != "probe" || record.state.family != "cluster" || record.state.device != device) continue;
    any = true;
    if (record.status != results::Status::ok) {
      if (record.failure && reason.empty()) reason = record.failure->reason;
      continue;
    }
    const std::int64_t blocks = record.state.point.integer("cluster_blocks");
    const auto [place, is_new] = sizes.try_emplace(blocks);
    ordered_json& row = place->second;
    if (is_new)
      row = {{"cluster_blocks", blocks},
             {"rate", nullptr},
             {"latency_clocks", nullptr},
             {"latency_ns", nullptr}};
    if (record.state.point.word("operation") == "read") {
      row["rate"] =
          std::max(row["rate"].is_number() ? row["rate"].get<double>() : 0, record.statistics->rate);
    } else if (record.facts.contains("latency_clocks")) {
      row["latency_clocks"] = record.facts["latency_clocks"];
      row["latency_ns"] = record.facts["latency_ns"];
    }
  }
  if (!any) return nullptr;
  ordered_json rows = ordered_json::array();
  for (auto& [blocks, row] : sizes) rows.push_back(std::move(row));
  return {{"sizes", std::move(rows)}, {"reason", reason}};
}

ordered_json barriers_json(std::span<const results::Record* const> records) {
  ordered_json rows = ordered_json::array();
  for (const results::Record* record : records) {
    ordered_json row = record->state.point.to_json();
    row["seconds"] = 1 / record->statistics->rate;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string cooperation_text(const ordered_json& device) {
  std::string text;
  const auto add = [&](const char* key, std::string (*text_of)(const ordered_json&)) {
    if (!device.contains(key)) return;
    if (const std::string line = text_of(device[key]); !line.empty())
      text += fmt::format("  {:11}{}\n", key, line);
  };
  add("atomics", atomics_text);
  add("barriers", barriers_text);
  add("clusters", clusters_text);
  return text;
}

}  // namespace gpuseq::bench
