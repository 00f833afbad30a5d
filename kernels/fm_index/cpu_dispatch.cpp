#include "kernels/fm_index/cpu_dispatch.hpp"

#include <fmt/format.h>

#include <array>

#include "hwy/targets.h"
#include "runtime/errors.hpp"

namespace gpuseq::fm_index {
namespace {

struct NamedTarget {
  std::string_view name;
  CpuTarget target;
  std::int64_t includes;  // Highway targets
};

constexpr std::array<NamedTarget, 4> kTargets{{{"best", CpuTarget::best, ~std::int64_t{0}},
                                               {"sse4", CpuTarget::sse4, HWY_SSE4},
                                               {"avx2", CpuTarget::avx2, HWY_AVX2},
                                               {"avx512", CpuTarget::avx512, HWY_AVX3 | HWY_AVX3_DL}}};

const NamedTarget& named(CpuTarget target) {
  return kTargets[static_cast<std::size_t>(target)];
}

}  // namespace

CpuTarget parse_target(std::string_view name) {
  for (const NamedTarget& known : kTargets)
    if (known.name == name) return known.target;
  throw UsageError(fmt::format("target: found '{}', allowed: best, sse4, avx2, avx512", name));
}

DispatchedKernel dispatch(std::initializer_list<CompiledTarget> compiled, const Layout& layout,
                          CpuTarget wanted) {
  std::string offered;
  for (const CompiledTarget& one : compiled) {
    if (one.select == nullptr || (hwy::SupportedTargets() & one.target) == 0) continue;
    if (named(wanted).includes & one.target) {
      if (const SearchKernel search = one.select(layout)) return {search, hwy::TargetName(one.target)};
      continue;
    }
    offered += offered.empty() ? "" : ", ";
    offered += hwy::TargetName(one.target);
  }
  throw ResourceError(fmt::format("target '{}' is unsupported: this processor and build offer {}",
                                  named(wanted).name, offered.empty() ? "no vectors" : offered));
}

}  // namespace gpuseq::fm_index
