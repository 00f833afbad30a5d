// `sorted_batch`: exact search of many queries in a small one-hot index, each step of all at a time, by rows.
//
// LF keeps the order of rows that have one word. Queries that are by rows and are parted by their next word,
// in order, are by rows again behind the step: nothing is sorted but, once, the prefixes that the table
// answers. One pass a step reads the queries of each word and the blocks of that word from front to back, and
// writes the queries to 4^k places, each from front to back. A query takes its next symbols along, 57 of
// them, so that its packed bases are read once in many steps: 32 bytes read and 32 written a step.
//
// Why one-hot: the blocks of a word lie beside each other, so that a pass goes through the index once. In a
// sampled index a pass would go through it once a word, or skip from counter to counter.
//
// Batches and not all queries: lists of few stay in a core's own cache, and each thread has lists of its own
// and waits for nobody; of many, more queries meet in a block.
//
// Bound by: instructions while the lists stay in a core's own cache; else the lists' bytes.
//
// Source: Ferragina and Manzini 2000; the order by LF of all strings at a time: BCR, Bauer, Cox, Rosone 2013.

#include "kernels/fm_index/cpu/lane_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fm_index/cpu/sorted_batch.cpp"
#include <utility>

#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/fm_index/cpu/compiled_shapes.hpp"
#include "kernels/fm_index/cpu/dispatch.hpp"
#include "kernels/fm_index/cpu/sorted_batch.hpp"
#include "runtime/contract/unsupported.hpp"

// A baseline without vectors (compiled last) has no lanes.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
#include "kernels/fm_index/cpu/one_hot-inl.hpp"
#include "kernels/fm_index/cpu/sorted_batch-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuseq::fm_index::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

template <KernelShape shape>
constexpr SearchKernel sorted_batch_of() {
  if constexpr (!shape.wide && is_compiled(shape)) return &search_sorted_batch<OneHotLanes<shape>>;
  return nullptr;
}
template <std::size_t... i>
SearchKernel pick_sorted_batch(const Layout& layout, std::index_sequence<i...>) {
  static constexpr SearchKernel kernels[] = {sorted_batch_of<KernelShape::one_hot(i)>()...};
  return kernels[KernelShape::index(layout)];
}
SearchKernel sorted_batch(const Layout& layout) {
  return pick_sorted_batch(layout, std::make_index_sequence<KernelShape::kOneHotShapes>());
}

#else

SearchKernel sorted_batch(const Layout&) {
  return nullptr;
}

#endif

}  // namespace gpuseq::fm_index::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuseq::fm_index {
DispatchedKernel sorted_batch_kernel(const Layout& layout, SimdTarget target) {
  if (layout.wide)
    throw Unsupported(
        "sorted_batch has positions of 32 bits: a reference of 2^32 - 1 bases and more is not searched by "
        "it; its blocks would be more than queries meet in anyway");
  return dispatch({{HWY_AVX3_DL, HWY_CHOOSE_AVX3_DL(sorted_batch)},
                   {HWY_AVX3, HWY_CHOOSE_AVX3(sorted_batch)},
                   {HWY_AVX2, HWY_CHOOSE_AVX2(sorted_batch)},
                   {HWY_SSE4, HWY_CHOOSE_SSE4(sorted_batch)},
                   {HWY_STATIC_TARGET, &HWY_STATIC_DISPATCH(sorted_batch)}},
                  layout, target);
}
}  // namespace gpuseq::fm_index
#endif
