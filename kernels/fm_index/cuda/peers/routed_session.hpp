#pragma once

#include <memory>
#include <vector>

#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/cuda/routes.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/cuda/peers/open_peers.hpp"

// Routed search by several devices, each of which takes the steps whose words it has. A query goes where its
// next step is taken.

namespace gpuseq::fm_index {

/// The devices that take the steps of routed queries.
struct StepsOfDevices {
  std::vector<u8> last_device = {};  // of each query, that which ends it; 0 of one without steps
  double first_share = 0;            // the share of all steps that the first device takes
  double largest_share = 0;          // the share of the device that takes most steps
  double crossing_share = 0;         // the share of all steps that another device takes than the one before
};
StepsOfDevices steps_of_devices(const RoutedQueries& queries, u32 k, u32 devices);

/// @param at  of one_hot_routed, whose index is in parts
/// @param peers  of the device; or the same GPU, opened again
/// @throws as prepare_search()
std::unique_ptr<SearchSession> prepare_routed_on_peers(FmProblem& problem, const SearchPoint& at,
                                                       cuda::CudaDevice& device, const cuda::Peers& peers);

}  // namespace gpuseq::fm_index
