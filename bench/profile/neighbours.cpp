#include "bench/profile/neighbours.hpp"

#include <fmt/format.h>

#include "bench/profile/rates_text.hpp"

namespace gpuseq::bench {

using nlohmann::ordered_json;

ordered_json neighbours_json(const ordered_json& transfers, const ordered_json& access,
                             const ordered_json& access_sequential) {
  ordered_json neighbours = ordered_json::object();
  const auto hand_out = [&](const char* key, const ordered_json& rows) {
    for (ordered_json row : rows) {
      ordered_json& neighbour = neighbours[fmt::format("cuda:{}", row["peer"].get<int>())];
      if (neighbour.is_null())
        for (const char* each : {"transfers", "access", "access_sequential"})
          neighbour[each] = ordered_json::array();
      row.erase("peer");
      neighbour[key].push_back(std::move(row));
    }
  };
  hand_out("transfers", transfers);
  hand_out("access", access);
  hand_out("access_sequential", access_sequential);
  return neighbours;
}

std::string neighbours_text(const ordered_json& device) {
  if (!device.contains("peers")) return "";
  std::string text;
  const auto add = [&](const std::string& id, const char* what, const std::string& rates) {
    if (!rates.empty())
      text += fmt::format("  {:11}{} {} {}\n", text.empty() ? "peers" : "", id, what, rates);
  };
  for (const auto& [id, neighbour] : device["peers"].items()) {
    add(id, "copies", best_text(neighbour["transfers"], direction_of));
    add(id, "kernels in order", largest_text(neighbour["access_sequential"], operation_of));
    add(id, "kernels at random", largest_text(neighbour["access"], blocks_of));
  }
  return text;
}

}  // namespace gpuseq::bench
