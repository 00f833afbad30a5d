#include "bench/profile/caches/load_paths.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "bench/config/json_file.hpp"
#include "bench/config/units.hpp"
#include "probes/load_path_caches.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using results::Record;

constexpr const char* kEvictedByNothing = "nothing";

/// The result of a chain: its fastest pass, as disturbance makes passes slower.
struct PathChain {
  probes::LoadPathPoint at;
  double ns = 0;
  std::string evicted_by;
};

std::optional<PathChain> chain_of(const Record& record) {
  const Point& point = record.state.point;
  if (!record.facts.is_object()) return {};
  const double clocks = record.facts.value("latency_clocks", 0.0), ns = record.facts.value("latency_ns", 0.0);
  if (clocks <= 0 || ns <= 0) return {};
  return PathChain{{.footprint_bytes = static_cast<double>(point.integer("footprint_bytes")),
                    .stride_bytes = static_cast<double>(point.integer("stride_bytes")),
                    .ascending = point.word("order") == "ascending",
                    .clocks = clocks},
                   ns,
                   point.word("evicted_by")};
}

/// Chains by path, paths in the order of their first chains.
std::vector<std::pair<std::string, std::vector<PathChain>>> chains_by_path(
    std::span<const Record* const> records) {
  std::vector<std::pair<std::string, std::vector<PathChain>>> paths;
  std::map<std::string, std::size_t> places;  // by the state of a chain
  for (const Record* record : records) {
    const std::optional<PathChain> chain = chain_of(*record);
    if (!chain) continue;
    const std::string& path = record->state.point.word("path");
    auto of_path = std::ranges::find(paths, path, [](const auto& one) { return one.first; });
    if (of_path == paths.end()) of_path = paths.insert(paths.end(), {path, {}});
    const auto [place, is_new] = places.emplace(record->state.to_string(), of_path->second.size());
    if (is_new)
      of_path->second.push_back(*chain);
    else if (PathChain& kept = of_path->second[place->second]; chain->at.clocks < kept.at.clocks)
      kept = *chain;
  }
  return paths;
}

ordered_json path_levels_json(std::span<const probes::PathLevel> levels, double ns_per_clock) {
  ordered_json rows = ordered_json::array();
  for (const probes::PathLevel& level : levels)
    rows.push_back({{"latency_clocks", level.clocks},
                    {"latency_ns", level.clocks * ns_per_clock},
                    {"served_bytes", or_null(level.served_bytes)},
                    {"exceeded_bytes", or_null(level.exceeded_bytes)}});
  return rows;
}

/// By path of the second chain, whether it evicts the first.
ordered_json evicted_json(const std::vector<PathChain>& chains, std::span<const probes::PathLevel> levels) {
  ordered_json paths = ordered_json::object();
  for (const PathChain& chain : chains) {
    if (chain.evicted_by == kEvictedByNothing) continue;
    if (const auto evicted = probes::is_evicted(levels, chain.at.footprint_bytes, chain.at.clocks))
      paths[chain.evicted_by] = *evicted;
  }
  return paths;
}

ordered_json path_json(const std::string& path, const std::vector<PathChain>& chains) {
  std::vector<probes::LoadPathPoint> points;
  ordered_json rows = ordered_json::array();
  std::vector<double> ns_per_clock;
  for (const PathChain& chain : chains) {
    if (chain.evicted_by == kEvictedByNothing) points.push_back(chain.at);
    ns_per_clock.push_back(chain.ns / chain.at.clocks);
    rows.push_back({{"footprint_bytes", chain.at.footprint_bytes},
                    {"stride_bytes", chain.at.stride_bytes},
                    {"order", chain.at.ascending ? "ascending" : "random"},
                    {"evicted_by", chain.evicted_by},
                    {"latency_clocks", chain.at.clocks},
                    {"latency_ns", chain.ns}});
  }
  std::ranges::sort(ns_per_clock);
  const probes::PathCaches caches = probes::path_caches(points);
  ordered_json row{{"path", path},
                   {"levels", path_levels_json(caches.levels, ns_per_clock[ns_per_clock.size() / 2])}};
  ordered_json reasons = ordered_json::object();
  for (const auto& [name, shown] :
       {std::pair("fetch_bytes", caches.fetch_bytes), std::pair("line_bytes", caches.line_bytes),
        std::pair("ways", caches.ways)}) {
    row[name] = or_null(shown.value);
    if (!shown.value) reasons[name] = shown.reason;
  }
  row["reasons"] = std::move(reasons);
  row["evicted_by"] = evicted_json(chains, caches.levels);
  row["points"] = std::move(rows);
  return row;
}

/// "33 clk (19 ns) to 208 KiB, then 262 clk (150 ns)"
std::string path_levels_text(const ordered_json& levels) {
  std::string text;
  for (const ordered_json& level : levels) {
    text += fmt::format("{}{:.3g} clk ({:.3g} ns)", text.empty() ? "" : ", then ",
                        level["latency_clocks"].get<double>(), level["latency_ns"].get<double>());
    if (level["served_bytes"].is_number()) text += " to " + bytes_text(level["served_bytes"].get<double>());
  }
  return text;
}

/// "; fetch 32 B, line 128 B, 4 ways; the cache of texture too"
std::string path_cache_text(const ordered_json& row) {
  std::vector<std::string> parts;
  if (row["fetch_bytes"].is_number())
    parts.push_back("fetch " + bytes_text(row["fetch_bytes"].get<double>()));
  if (row["line_bytes"].is_number()) parts.push_back("line " + bytes_text(row["line_bytes"].get<double>()));
  if (row["ways"].is_number()) parts.push_back(fmt::format("{:.0f} ways", row["ways"].get<double>()));
  std::string text = parts.empty() ? "" : fmt::format("; {}", fmt::join(parts, ", "));
  std::vector<std::string> with;
  for (const auto& [path, evicted] : row["evicted_by"].items())
    if (evicted.get<bool>() && ordered_json(path) != row["path"]) with.push_back(path);
  if (!with.empty()) text += fmt::format("; one cache with {}", fmt::join(with, ", "));
  return text;
}

}  // namespace

ordered_json load_paths_json(std::span<const Record* const> records) {
  ordered_json rows = ordered_json::array();
  for (const auto& [path, chains] : chains_by_path(records)) rows.push_back(path_json(path, chains));
  return rows.empty() ? ordered_json(nullptr) : rows;
}

std::optional<double> l1_by_load_path(const ordered_json& load_paths) {
  for (const ordered_json& row : load_paths) {
    if (row["path"] != "global" || row["levels"].empty()) continue;
    const ordered_json& first = row["levels"][0];
    if (!first["served_bytes"].is_number() || !first["exceeded_bytes"].is_number()) return {};
    return std::sqrt(first["served_bytes"].get<double>() * first["exceeded_bytes"].get<double>());
  }
  return {};
}

std::string load_paths_text(const ordered_json& device) {
  if (!device.contains("load_paths")) return "";
  std::string text;
  for (const ordered_json& row : device["load_paths"])
    text +=
        fmt::format("  {:11}{:9} {}{}\n", text.empty() ? "load paths" : "", row["path"].get<std::string>(),
                    path_levels_text(row["levels"]), path_cache_text(row));
  return text;
}

}  // namespace gpuseq::bench
