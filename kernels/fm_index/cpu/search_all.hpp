#pragma once

#include "kernels/fm_index/cpu/search.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::fm_index {

/// Searches all queries of a job, in pieces shared out among threads; begin and end do not matter.
inline void search_all(const DispatchedKernel& kernel, const SearchJob& job, ThreadPool& pool) {
  constexpr std::size_t kLeastQueriesATime = 512;  // enough that starting and ending a batch does not show
  const std::size_t count = job.queries.count;
  pool.parallel_for(count, piece_size(count, pool.size(), kLeastQueriesATime),
                    [&](std::size_t begin, std::size_t end) {
                      SearchJob piece = job;
                      piece.begin = static_cast<u32>(begin);
                      piece.end = static_cast<u32>(end);
                      kernel.search(piece);
                    });
}

}  // namespace gpuseq::fm_index
