#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gpuseq {

/// Instruction sets by their names for users; `best` is the widest of this CPU.
enum class SimdTarget { best, sse4, avx2, avx512 };

/// @throws UsageError with the allowed names
SimdTarget parse_simd_target(std::string_view name);

/// Whether this CPU supports a Highway target: code compiled for other targets must not run,
/// not even to choose.
bool has_simd_target(std::int64_t target);

/// The index of the first of `compiled` (Highway targets, widest first) that the CPU supports and
/// `wanted` includes.
/// @throws ResourceError with the targets of the CPU and the build
std::size_t choose_simd_target(std::span<const std::int64_t> compiled, SimdTarget wanted);

/// The user's name for a Highway target ("avx512"); empty if there is none.
std::string_view instruction_set(std::int64_t target);
/// The Highway target's name ("AVX3").
std::string simd_target_name(std::int64_t target);

}  // namespace gpuseq
