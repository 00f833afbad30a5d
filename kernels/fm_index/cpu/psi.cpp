// `psi_simd` and `psi_lines_simd`: exact search where a step of k bases is a search for l and h among the
// entries of its word (data/psi.cuh).
//
// The address of the entries, or of the starts that tell where these are, follows from
// the query alone. So a query fetches for its coming eight steps at once, and queries
// take turns between fetching and stepping. A step compares up to 8 or, in lines, all
// entries of its word with l and with h in one or two vector instructions each.
//
// Bound by: lines in flight to L2 where the index exceeds the
// last-level cache; in it, instructions (about 20 per step).
//
// Source: Grossi and Vitter 2000; searches in psi^k: IP-BWT and LISA, Ho et al. 2019, 2020.

#include "runtime/simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fm_index/cpu/psi.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/fm_index/cpu/dispatch.hpp"

#if GPUSEQ_HAS_VECTORS
#include "kernels/fm_index/cpu/psi-inl.hpp"
#include "kernels/fm_index/cpu/psi_batch-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {

#if GPUSEQ_HAS_VECTORS

SearchKernel psi_search(const Layout& layout) {
  if (layout.kind == LayoutKind::psi) return &search_psi<PsiTable>;
  switch (layout.line_bytes) {
    case 16:
      return &search_psi<PsiLines<16>>;
    case 32:
      return &search_psi<PsiLines<32>>;
    case 64:
      return &search_psi<PsiLines<64>>;
    default:
      return &search_psi<PsiLines<128>>;
  }
}

#else

SearchKernel psi_search(const Layout&) {
  return nullptr;
}

#endif

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuseq::fm_index {
DispatchedKernel psi_kernel(const Layout& layout, SimdTarget target) {
  return dispatch(GPUSEQ_COMPILED(psi_search), layout, target);
}
}  // namespace gpuseq::fm_index
#endif
