#pragma once

#include <memory>

#include "runtime/contract/family.hpp"
#include "runtime/plugin/support.hpp"

namespace gpuseq::profile_hmm {

/// Profile HMM filters: the SSV, MSV and P7Viterbi scores of protein sequences in HMMER's hmmsearch.
std::unique_ptr<Family> make_family();
/// For plugins that solve its problem.
PluginSupport plugin_support();

}  // namespace gpuseq::profile_hmm
