#include "kernels/fm_locate/cuda/session.hpp"
#include "runtime/system/concatenated.hpp"

namespace gpuseq::fm_locate {

std::vector<Variant> cuda_variants() {
  const auto prepare = [](LocateProblem& problem, const Point& point, Device& device) {
    return prepare_walk(problem, layout_of(point), walk_point(point), cuda::cuda_device(device));
  };
  const auto sources = [](const Point& point, const Point&) -> std::vector<KernelSource> {
    const WalkPoint at = walk_point(point);
    if (at.ahead_of_time) return {};
    return {locate_kernels().source(at.policy, device_headers())};
  };
  const auto cost = [](const StateOutline& state) {
    return estimated_cost(layout_of(state.point), kSectorBytes, state);
  };
  return {{.name = "walk",
           .device = DeviceKind::cuda,
           .summary = "one walk per lane; a lane whose walk ends takes another row of its warp",
           .space = SearchSpace(concatenated(layout_axes(), walk_axes()), walk_constraints()),
           .prepare = prepare_by<LocateProblem>(prepare),
           .sources = sources,
           .cost = cost}};
}

}  // namespace gpuseq::fm_locate
