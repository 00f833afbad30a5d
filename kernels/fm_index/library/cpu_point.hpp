#pragma once

#include "kernels/fm_index/cpu/search.hpp"

// How an exported library for CPUs searches. `export` writes this file again.

namespace gpuseq::fm_index {

/// The parts of a job that do not depend on index and queries.
inline SearchJob exported_job() {
  SearchJob job{};
  job.in_flight = 16;
  return job;
}

inline DispatchedKernel exported_kernel(const Layout& layout) {
  return prefetch_kernel(layout);
}

}  // namespace gpuseq::fm_index
