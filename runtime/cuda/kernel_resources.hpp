#pragma once

#include <string_view>

#include "runtime/contract/work.hpp"

namespace gpuseq::cuda {

/// Registers, stack and static shared memory of `entry` from the cubin itself, which is independent of the
/// compiler's version, and spills (stores + loads) from the output of ptxas -v, if available. Functions that
/// are not inlined are listed there without their callers, after the last entry: their spills count for every
/// entry. All are 0 if it is not a cubin, or has no such entry.
Resources kernel_resources(std::string_view cubin, std::string_view log, std::string_view entry);

}  // namespace gpuseq::cuda
