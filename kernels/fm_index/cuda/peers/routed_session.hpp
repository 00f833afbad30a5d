#pragma once

#include <memory>
#include <vector>

#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/cuda/routes.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/cuda/cuda.hpp"

// Routed search by two devices, each of which takes the steps whose words it has. A query goes where its next
// step is taken.

namespace gpuseq::fm_index {

/// How the steps of routed queries lie on two devices.
struct StepsOnTwo {
  std::vector<u8> last_device = {};  // of each query, that which ends it; 0 of one without steps
  double first_share = 0;            // of all steps, those that the first device takes
  double crossing_share = 0;         // of all steps, those behind which the query goes to the other device
};
StepsOnTwo steps_on_two(const RoutedQueries& queries, u32 k);

/// @param at  of one_hot_routed, whose index is halved
/// @param peer  a peer of the device; or the same GPU, opened once more
/// @throws as prepare_search()
std::unique_ptr<SearchSession> prepare_routed_on_two(FmProblem& problem, const SearchPoint& at,
                                                     cuda::CudaDevice& device,
                                                     const std::shared_ptr<cuda::CudaDevice>& peer);

}  // namespace gpuseq::fm_index
