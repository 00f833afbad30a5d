#pragma once

#include <span>
#include <string>

#include "bench/config/config.hpp"
#include "bench/config/registry.hpp"

namespace gpuseq::bench {

/// The config with files of the user's in the place of what it names: every problem of a family whose problem
/// has an axis of the role takes the file, and what it says about its former data (Axis::about) goes to the
/// axis' default. Families without the role stay as they are; data that no problem names any more are left
/// out.
/// @param given  "role=file" each, paths as the shell has them
/// @throws UsageError for a role that no family of the config has, naming those there are, or that comes
/// twice
SuiteConfig with_own_data(const SuiteConfig& config, std::span<const std::string> given,
                          const Registry& registry);

}  // namespace gpuseq::bench
