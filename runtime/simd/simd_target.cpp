#include "runtime/simd/simd_target.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>

#include "hwy/targets.h"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/unsupported.hpp"

namespace gpuseq {
namespace {

struct NamedTarget {
  std::string_view name;
  SimdTarget target;
  std::int64_t includes;  // Highway targets
};

constexpr std::array<NamedTarget, 4> kTargets{{{"best", SimdTarget::best, ~std::int64_t{0}},
                                               {"sse4", SimdTarget::sse4, HWY_SSE4},
                                               {"avx2", SimdTarget::avx2, HWY_AVX2},
                                               {"avx512", SimdTarget::avx512, HWY_AVX3 | HWY_AVX3_DL}}};

}  // namespace

SimdTarget parse_simd_target(std::string_view name) {
  for (const NamedTarget& known : kTargets)
    if (known.name == name) return known.target;
  throw UsageError(fmt::format("target: found '{}', allowed: best, sse4, avx2, avx512", name));
}

bool has_simd_target(std::int64_t target) {
  // In a virtual machine each CPUID traps, and a plan calls this for every state. Highway's choice changes
  // only if a test sets targets.
  static std::atomic<std::int64_t> supported{0};
  if (supported == 0 || !hwy::GetChosenTarget().IsInitialized()) {
    supported = hwy::SupportedTargets();
    hwy::GetChosenTarget().Update(supported);
  }
  return (supported & target) != 0;
}

std::size_t choose_simd_target(std::span<const std::int64_t> compiled, SimdTarget wanted) {
  const NamedTarget& named = kTargets[static_cast<std::size_t>(wanted)];
  std::string offered;
  for (std::size_t i = 0; i < compiled.size(); ++i) {
    if (!has_simd_target(compiled[i])) continue;
    if ((named.includes & compiled[i]) != 0) return i;
    offered += offered.empty() ? "" : ", ";
    offered += simd_target_name(compiled[i]);
  }
  throw Unsupported(fmt::format("target '{}' is unsupported: this processor and build offer {}", named.name,
                                offered.empty() ? "no vectors" : offered));
}

std::string_view instruction_set(std::int64_t target) {
  for (const NamedTarget& known : kTargets)
    if (known.target != SimdTarget::best && (known.includes & target) != 0) return known.name;
  return {};
}

std::string simd_target_name(std::int64_t target) {
  return hwy::TargetName(target);
}

}  // namespace gpuseq
