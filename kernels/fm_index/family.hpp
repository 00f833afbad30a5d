#pragma once

#include <memory>

#include "runtime/contract/family.hpp"
#include "runtime/plugin/support.hpp"

namespace gpuseq::fm_index {

/// Exact search of DNA queries in a sampled FM-index.
std::unique_ptr<Family> make_family();
/// For plugins that solve its problem.
PluginSupport plugin_support();

}  // namespace gpuseq::fm_index
