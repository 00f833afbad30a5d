#pragma once

#include <string_view>

#include "runtime/contract/work.hpp"

namespace gpuseq::cuda {

/// Registers, stack and static shared memory of `entry` out of the cubin itself, which says the same
/// whichever version of the compiler made it, and spills (stores + loads) out of what ptxas prints with -v,
/// where it does. Functions that are not inlined are listed there without their callers, after the last
/// entry: their spills count for every entry. All are 0 if the cubin is none, or has no such entry.
Resources kernel_resources(std::string_view cubin, std::string_view log, std::string_view entry);

}  // namespace gpuseq::cuda
