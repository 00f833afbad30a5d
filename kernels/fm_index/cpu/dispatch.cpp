#include "kernels/fm_index/cpu/dispatch.hpp"

#include <fmt/format.h>

#include "kernels/fm_index/cpu/compiled_shapes.hpp"
#include "runtime/contract/unsupported.hpp"

namespace gpuseq::fm_index {

void require_compiled(const Layout& layout) {
  if (!is_compiled(KernelShape::of(layout))) throw NotCompiled(fmt::format("k={} d={}", layout.k, layout.d));
}

DispatchedKernel dispatch(std::initializer_list<CompiledKernels> compiled, const Layout& layout,
                          SimdTarget wanted) {
  const Dispatched<SearchKernel> chosen = gpuseq::dispatch(compiled, wanted, layout);
  return {chosen.kernels, chosen.target};
}

}  // namespace gpuseq::fm_index
