#pragma once

#include <string>
#include <vector>

#include "runtime/contract/cost.hpp"
#include "runtime/contract/variant.hpp"

namespace gpuseq::bench {

/// Why this build has no kernel for a state, with the CMake option that compiles it; empty: it has one, or
/// another reason forbids the state.
std::string why_not_compiled(const Variant& variant, const StateOutline& state);

/// Whether the variant's estimate refuses the state: the point does not suit the problem, or its kernel is
/// not compiled.
bool is_unsupported(const Variant& variant, const StateOutline& state);

/// Listed values of a variant's axes without a kernel in this build, "k=3", while other axes are at their
/// defaults.
/// @param problem  complete
std::vector<std::string> values_not_compiled(const Variant& variant, const Point& problem);

}  // namespace gpuseq::bench
