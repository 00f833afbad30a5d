#pragma once

#include "bench/config/config.hpp"
#include "bench/config/registry.hpp"
#include "bench/config/tool.hpp"

namespace gpuseq::bench {

/// The registry with other programs among its families' variants, and with the problems that only they solve.
/// @param timeout_s  after which a command of theirs is killed
/// @throws UsageError for a tool whose family is nowhere, or that has the name of a variant
Registry with_tools(const Registry& registry, const Tools& tools, double timeout_s);

/// The registry with the external tools of a config; the registry itself if it has none.
/// @throws UsageError as with_tools() and tools_from_json() do, with the config's name
Registry with_tools_of(const SuiteConfig& config, const Registry& registry);

}  // namespace gpuseq::bench
