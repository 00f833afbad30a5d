#pragma once

#include <algorithm>

#include "kernels/fm_index/cpu/search.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::fm_index {

/// Of so many queries, how many a thread has at most that takes one share.
inline std::size_t share_of_thread(std::size_t queries, int threads) {
  return (queries + static_cast<std::size_t>(threads) - 1) / static_cast<std::size_t>(threads);
}

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

/// The same where queries take steps together: a thread has one share of them, and one of the workspace.
/// @param workspace_bytes  of a thread
inline void search_shares(const DispatchedKernel& kernel, const SearchJob& job, std::size_t workspace_bytes,
                          ThreadPool& pool) {
  const std::size_t share = share_of_thread(job.queries.count, pool.size());
  pool.run([&](int thread) {
    const std::size_t begin =
        std::min<std::size_t>(job.queries.count, share * static_cast<std::size_t>(thread));
    SearchJob piece = job;
    piece.begin = static_cast<u32>(begin);
    piece.end = static_cast<u32>(std::min<std::size_t>(job.queries.count, begin + share));
    piece.workspace += workspace_bytes * static_cast<std::size_t>(thread);
    kernel.search(piece);
  });
}

}  // namespace gpuseq::fm_index
