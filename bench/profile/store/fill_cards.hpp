#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/state.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// Puts what the probes of a run measured on this machine into the cards of its devices: points that a card
/// lacks, and looks at the probes behind refuted ceilings. A card that the run refused, or that differs from
/// what the run measured, is renewed.
/// @param dir  the run's folder
/// @param renew  whether cards are renewed all the same
/// @returns what could not be kept, and why
std::vector<std::string> fill_cards(const std::filesystem::path& dir, const SuiteConfig& config,
                                    std::span<const DeviceInfo> devices,
                                    std::span<const results::Record> records, int repetitions, bool renew);

}  // namespace gpuseq::bench
