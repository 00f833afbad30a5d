#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/state.hpp"

namespace gpuseq::bench {

/// The level of a machine profile that holds the data which a configuration reads at random. Profiles of
/// published machines have levels and no curves.
struct WithinLevel {
  results::StateKey state;
  std::uint64_t footprint_bytes = 0;  // at most
  std::string level = {};             // the smallest that holds it; empty: none does
  double level_bytes = 0;             // of the level; 0: none
};

/// The GPUs and processors of a profile, with the memory that it states.
std::vector<DeviceInfo> devices_of_profile(const nlohmann::json& profile);

/// Footprints are those of Variant::needs; states without one are left out.
/// @param profile  as read_profile() gives it
std::vector<WithinLevel> within_levels(std::span<const State> kernels, const SuiteConfig& config,
                                       const nlohmann::json& profile);

/// For people: a line a point, the problems by the memory that they touch.
std::string within_levels_text(std::span<const WithinLevel> states, const nlohmann::json& profile);
nlohmann::ordered_json within_levels_json(std::span<const WithinLevel> states);

}  // namespace gpuseq::bench
