#pragma once

#include "reports/figures/profile_hmm/curves.hpp"

/// What figures 12 to 14 share: GPUs, CPUs and other programs.
namespace gpuseq::reports::profile_hmm {

Curves by_machine(const std::string& filter);

inline constexpr const char* kMachineCaption =
    "How fast each machine runs the filter at each length of the model, by the paper's design (video_warp) "
    "and "
    "by others, with each instruction set of the CPU, and how fast the paper's and HMMER's programs are.";

}  // namespace gpuseq::reports::profile_hmm
