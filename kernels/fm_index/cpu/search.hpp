#pragma once

#include <cstddef>
#include <string>

#include "kernels/fm_index/data/psi.cuh"
#include "runtime/simd/simd_target.hpp"

namespace gpuseq::fm_index {

/// The part of one thread: the queries [begin, end) of `queries`, answers to the same places of
/// `intervals`.
struct SearchJob {
  IndexView index;
  Layout layout;
  QueryView queries;
  void* intervals;  // Interval<u32>[queries.count] or, wide, Interval<u64>[queries.count]
  u32 begin, end;
  u32 in_flight;  // queries interleaved; kernels round it up to whole vectors
  bool prefetch_to_l1;
  PsiSearch search = PsiSearch::linear;  // psi tables only
  bool exit_early = false;  // psi only: the first k bases of a query are looked up before all steps
};

/// Searches a job to its end on the calling thread.
using SearchKernel = void (*)(const SearchJob&);

/// A kernel together with the Highway target that it was compiled for ("AVX3_DL").
struct DispatchedKernel {
  SearchKernel search;
  std::string target;
};

/// Kernels for a layout. Sampled layouts, one query after the other or interleaved with scalar arithmetic;
/// sampled layouts with one query per vector lane; the one-hot layout; the psi layouts; verify; Elias-Fano
/// layouts.
/// @throws ResourceError where the processor or the build lacks the target
DispatchedKernel scalar_kernel(const Layout& layout);
DispatchedKernel prefetch_kernel(const Layout& layout);
DispatchedKernel simd_kernel(const Layout& layout, SimdTarget target);
DispatchedKernel one_hot_kernel(const Layout& layout, SimdTarget target);
DispatchedKernel psi_kernel(const Layout& layout, SimdTarget target);
DispatchedKernel verify_kernel(const Layout& layout);
DispatchedKernel elias_fano_kernel(const Layout& layout);

}  // namespace gpuseq::fm_index
