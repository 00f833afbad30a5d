#include "kernels/fm_mismatch/axes.hpp"
#include "kernels/fm_mismatch/cuda/session.hpp"

namespace gpuseq::fm_mismatch {

std::vector<Variant> cuda_variants() {
  const auto prepare = [](MismatchProblem& problem, const Point& point, Device& device) {
    return prepare_search(problem, policy_of(point, problem.mismatches()), prefix_symbols_of(point),
                          is_ahead_of_time(point), cuda::cuda_device(device));
  };
  const auto sources = [](const Point& point, const Point& problem) -> std::vector<KernelSource> {
    if (is_ahead_of_time(point)) return {};
    return {search_kernels().source(policy_of(point, mismatches_of(problem)), device_headers())};
  };
  return {{.name = "search",
           .device = DeviceKind::cuda,
           .summary = "one strand of a query per lane, with its pending nodes in shared memory; a lane whose "
                      "search ends takes another strand of its warp",
           .space = space_of_search(),
           .prepare = prepare_by<MismatchProblem>(prepare),
           .sources = sources,
           .cost = estimated_cost}};
}

}  // namespace gpuseq::fm_mismatch
