#include "bench/profile/level_details.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "bench/config/units.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;

/// Two block sizes have the same block rate if the ratio of their rates is at least this.
constexpr double kAsOften = 0.95;

/// Best bytes per second at a footprint, by block size.
using BestOfBlocks = std::map<double, double>;

ordered_json row_of(double footprint, const BestOfBlocks& best) {
  const auto a_second = [](const auto& one) { return one.second / one.first; };
  const double most = a_second(*best.begin());
  double fetch = best.begin()->first;
  for (const auto& one : best) {
    if (a_second(one) < kAsOften * most) break;
    fetch = one.first;
  }
  return {
      {"footprint_bytes", footprint}, {"fetch_bytes", fetch}, {"at_least", fetch == best.rbegin()->first}};
}

}  // namespace

ordered_json fetch_json(const ordered_json& curves) {
  std::map<double, BestOfBlocks> footprints;
  for (const ordered_json& curve : curves) {
    if (curve["probe"] != "random_access" || curve["point"].value("access", "") != "independent") continue;
    const double block = curve["point"].value("block_bytes", 0.0);
    for (const ordered_json& point : curve["points"]) {
      double& best = footprints[point["footprint_bytes"].get<double>()][block];
      best = std::max(best, point["median"].get<double>());
    }
  }
  ordered_json rows = ordered_json::array();
  for (const auto& [footprint, best] : footprints)
    if (best.size() > 1) rows.push_back(row_of(footprint, best));
  return rows;
}

std::string fetch_text(const ordered_json& fetch, double footprint_bytes) {
  const ordered_json* nearest = nullptr;
  double least = INFINITY;
  for (const ordered_json& row : fetch) {
    const double away = std::fabs(std::log2(row["footprint_bytes"].get<double>() / footprint_bytes));
    if (away >= least) continue;
    least = away;
    nearest = &row;
  }
  if (nearest == nullptr) return "-";
  return ((*nearest)["at_least"].get<bool>() ? ">= " : "") +
         bytes_text((*nearest)["fetch_bytes"].get<double>());
}

void add_sharing(ordered_json& levels, const nlohmann::json& description) {
  std::map<std::string, ordered_json> shared;
  for (const nlohmann::json& cache : description.value("caches", nlohmann::json::array()))
    if (cache.contains("shared_by_cores"))
      shared[fmt::format("L{}", cache.value("level", 0))] = {{"cores", cache["shared_by_cores"]}};
  if (description.contains("multiprocessors")) {
    shared["L1"] = {{"multiprocessors", 1}};
    shared["L2"] = {{"multiprocessors", description["multiprocessors"]}};
  }
  for (ordered_json& level : levels) {
    const auto found = shared.find(level["name"].get<std::string>());
    level["shared_by"] = found == shared.end() ? ordered_json(nullptr) : found->second;
  }
}

std::string sharing_text(const ordered_json& level) {
  if (!level.contains("shared_by") || level["shared_by"].is_null()) return "-";
  const auto shared = level["shared_by"].begin();
  const auto many = shared.value().get<double>();
  return fmt::format("{:.0f} {}{}", many, shared.key() == "cores" ? "core" : "SM", many == 1 ? "" : "s");
}

}  // namespace gpuseq::bench
