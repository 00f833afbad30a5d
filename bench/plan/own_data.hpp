#pragma once

#include <span>
#include <string>

#include "bench/config/config.hpp"
#include "bench/config/registry.hpp"

namespace gpuseq::bench {

/// The config with files of the user instead of its own: every problem of a
/// family whose problem has an axis of the role takes the file, and its axes
/// about the former data (Axis::about) get their default. Families without the
/// role stay as they are; data that no problem names any more are left out.
/// @param given  "role=file" each, paths as the shell has them
/// @throws UsageError for a role that no family of the config has, naming those there are, or that comes
/// twice
SuiteConfig with_own_data(const SuiteConfig& config, std::span<const std::string> given,
                          const Registry& registry);

}  // namespace gpuseq::bench
