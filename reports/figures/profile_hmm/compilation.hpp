#pragma once

#include "reports/figures/profile_hmm/curves.hpp"

/// What tables 3 and 4 share: kernels that know the model when they are compiled, and kernels that do not.
namespace gpuseq::reports::profile_hmm {

Curves by_compilation(std::vector<std::string> filters, std::vector<Measure> measures);

}  // namespace gpuseq::reports::profile_hmm
