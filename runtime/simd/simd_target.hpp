#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gpuseq {

/// Instruction sets by the names users give them; `best` is the widest that this processor has.
enum class SimdTarget { best, sse4, avx2, avx512 };

/// @throws UsageError naming the targets there are
SimdTarget parse_simd_target(std::string_view name);

/// Whether this processor has a Highway target: code compiled for it must not be called before, not even to
/// choose.
bool has_simd_target(std::int64_t target);

/// The first of `compiled` (Highway targets, widest first) that the processor has and that `wanted` includes.
/// @returns its place. @throws ResourceError naming what the processor and the build offer
std::size_t choose_simd_target(std::span<const std::int64_t> compiled, SimdTarget wanted);

/// The name users give a Highway target ("avx512"); empty for one that they cannot name.
std::string_view instruction_set(std::int64_t target);
/// The Highway target's name ("AVX3").
std::string simd_target_name(std::int64_t target);

}  // namespace gpuseq
