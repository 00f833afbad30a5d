#pragma once

#include <string>
#include <string_view>

#include "runtime/family.hpp"

namespace gpuseq::cuda {

/// Registers, spills (stores + loads), stack frame and static shared memory of `entry`, out of what ptxas
/// prints with -v. Functions that are not inlined are listed without their callers, after the last entry:
/// their spills and stack count for every entry. Registers are 0 where the log says nothing of the entry.
Resources resources_from_ptxas_log(std::string_view log, std::string_view entry);

}  // namespace gpuseq::cuda
