#pragma once

#include "reports/figures/profile_hmm/curves.hpp"

/// What figures 9 to 11 share: the memory of a sequence's row.
namespace gpuseq::reports::profile_hmm {

Curves by_row_memory(const std::string& filter);

inline constexpr const char* kRowCaption =
    "Which memory a sequence's row belongs in at each length: shared memory costs occupancy, local memory "
    "traffic, and registers hold only so many words. Short rows that the compiler kept in registers although "
    "local memory was asked for count as there.";

}  // namespace gpuseq::reports::profile_hmm
