#include "bench/profile/peers.hpp"

#include <fmt/format.h>

#include "bench/profile/rates_text.hpp"

namespace gpuseq::bench {

using nlohmann::ordered_json;

ordered_json peers_json(const ordered_json& transfers, const ordered_json& access,
                        const ordered_json& access_sequential) {
  ordered_json peers = ordered_json::object();
  const auto hand_out = [&](const char* key, const ordered_json& rows) {
    for (ordered_json row : rows) {
      ordered_json& peer = peers[fmt::format("cuda:{}", row["peer"].get<int>())];
      if (peer.is_null())
        for (const char* each : {"transfers", "access", "access_sequential"})
          peer[each] = ordered_json::array();
      row.erase("peer");
      peer[key].push_back(std::move(row));
    }
  };
  hand_out("transfers", transfers);
  hand_out("access", access);
  hand_out("access_sequential", access_sequential);
  return peers;
}

std::string peers_text(const ordered_json& device) {
  if (!device.contains("peers")) return "";
  std::string text;
  const auto add = [&](const std::string& id, const char* what, const std::string& rates) {
    if (!rates.empty())
      text += fmt::format("  {:11}{} {} {}\n", text.empty() ? "peers" : "", id, what, rates);
  };
  for (const auto& [id, peer] : device["peers"].items()) {
    add(id, "copies", best_text(peer["transfers"], direction_of));
    add(id, "kernels in order", largest_text(peer["access_sequential"], operation_of));
    add(id, "kernels at random", largest_text(peer["access"], blocks_of));
  }
  return text;
}

}  // namespace gpuseq::bench
