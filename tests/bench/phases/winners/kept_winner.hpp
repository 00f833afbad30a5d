#pragma once

#include <string>

#include "bench/phases/winners/tuned_file.hpp"

// Winners made by hand.

namespace gpuseq::bench::testing {

inline nlohmann::ordered_json winner_json(const std::string& variant, const Point& point, double rate,
                                          const std::string& machine, double size = 100) {
  return nlohmann::ordered_json{
      {"family", "toy"},
      {"problem_class", {{"words", {{"mode", "all"}}}, {"numbers", {{"size", size}}}}},
      {"problem", {{"size", 100}}},
      {"problem_label", "a box"},
      {"device", "cpu"},
      {"machine", machine},
      {"made", "2026-11-25T03:00:00Z"},
      {"objective", {{"metric", "rate"}, {"direction", "max"}}},
      {"variant", variant},
      {"point", point.to_json()},
      {"variants", {variant}},
      {"score", rate},
      {"rate", rate},
      {"rate_low", nullptr},
      {"rate_high", nullptr},
      {"confidence", nullptr},
      {"rate_unit", "toys/s"},
      {"bytes", 100},
      {"fraction_of_bound", nullptr},
      {"bound_by", nullptr},
      {"race", {{"rounds", 3}, {"raced", 2}, {"left_out", 0}}},
      {"tied_with", nlohmann::ordered_json::array()},
      {"runners_up", nlohmann::ordered_json::array()},
      {"why", "it is fast"}};
}

inline std::string winners_text(const nlohmann::ordered_json& winners) {
  return nlohmann::ordered_json{
      {"schema", 2}, {"machines", nlohmann::ordered_json::object()}, {"winners", winners}}
      .dump();
}

inline KeptWinner kept_winner(const std::string& variant, const Point& point, double rate,
                              const ProfileKey& key, double size = 100) {
  const auto all = nlohmann::ordered_json::array({winner_json(variant, point, rate, key.hash(), size)});
  return winners_from(winners_text(all), "here").front();
}

}  // namespace gpuseq::bench::testing
