#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/state.hpp"

namespace gpuseq::bench {

/// What can be told of a state by a machine card that has levels and no curves, as those of published
/// machines.
struct WithinLevel {
  results::StateKey state;
  std::size_t footprint_bytes = 0;  // that it touches at random
  std::string level = {};           // the smallest that holds it; empty: none does
  double level_bytes = 0;           // of the level; 0: none
};

/// The GPUs and processors of a card, with the memory that it states.
std::vector<DeviceInfo> devices_of_card(const nlohmann::json& card);

/// States of which nothing can be expected, or that touch nothing at random, are left out.
/// @param card  as read_card() gives it
std::vector<WithinLevel> within_levels(std::span<const State> kernels, const SuiteConfig& config,
                                       const nlohmann::json& card);

/// For people: a line a point, the problems by what they touch.
std::string within_levels_text(std::span<const WithinLevel> states, const nlohmann::json& card);
nlohmann::ordered_json within_levels_json(std::span<const WithinLevel> states);

}  // namespace gpuseq::bench
