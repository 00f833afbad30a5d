#pragma once

#include <memory>

#include "runtime/contract/family.hpp"
#include "runtime/plugin/support.hpp"

namespace gpuseq::pairwise_distance {

std::unique_ptr<Family> make_family();
/// For plugins that solve its problem.
PluginSupport plugin_support();

}  // namespace gpuseq::pairwise_distance
