#pragma once

#include "kernels/exact_match/cuda/policy.hpp"
#include "kernels/exact_match/problem.hpp"
#include "kernels/exact_match/traffic.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/peers/open_peers.hpp"

namespace gpuseq::exact_match {

std::unique_ptr<MatchSession> make_cuda_session(MatchProblem& problem, const MatchPoint& at, NodeOrder order,
                                                cuda::CudaDevice& device);
/// A session within MatchPoint::memory_bytes. @throws DoesNotFit
std::unique_ptr<MatchSession> make_budget_session(MatchProblem& problem, const MatchPoint& at,
                                                  NodeOrder order, cuda::CudaDevice& device);
/// A search whose queries are shared by a GPU and its peers, each of which has the tree.
/// @param peers  of the device; or the same GPU, opened again
/// @throws as make_cuda_session()
std::unique_ptr<MatchSession> make_session_on_gpus(MatchProblem& problem, const MatchPoint& at,
                                                   NodeOrder order, cuda::CudaDevice& device,
                                                   const cuda::Peers& peers);

/// The search parameters of a point.
SearchWay way_of(const MatchPoint& at);
/// The cost of a launch that reads these blocks: lanes load them, even if a cache keeps them. Sorted queries
/// have no traffic, as adjacent queries share their blocks.
Cost cost_of(Work work, HeldMemory held, const Traffic& blocks, bool sorted);
/// Trees of a session within MatchPoint::memory_bytes. @throws DoesNotFit
u64 trees_of(const MatchPoint& at, u64 text_letters, u64 longest_query);
/// The cost of a launch before its problem is loaded.
Cost estimated_cost(MatchPoint at, const StateOutline& state);

/// A MakeSearcher.
std::unique_ptr<Searcher> make_cuda_searcher(std::vector<TreePart> parts, const Search& search,
                                             const MatchPoint& at, cuda::CudaDevice& device,
                                             const std::filesystem::path& cache_dir);

}  // namespace gpuseq::exact_match
