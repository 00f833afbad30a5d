#pragma once

#include "bench/config/config.hpp"
#include "bench/config/registry.hpp"
#include "bench/config/tool.hpp"

namespace gpuseq::bench {

/// The registry with external tools among its families' variants, and with the problems that only tools
/// solve.
/// @param timeout_s  limit of a tool's command, which is then killed
/// @throws UsageError for a tool of an unknown family, or with the name of a variant
Registry with_tools(const Registry& registry, const Tools& tools, double timeout_s);

/// The registry with the plugins and the external tools of a config; the registry itself if it has none.
/// @throws UsageError as with_plugins(), with_tools() and tools_from_json() do, with the config's name
Registry with_tools_of(const SuiteConfig& config, const Registry& registry);

}  // namespace gpuseq::bench
