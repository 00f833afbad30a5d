#include "kernels/papara/cuda/scorer.hpp"
#include "kernels/papara/outline.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::papara {
namespace {

Variant variant(Scheme scheme, std::string name, std::string summary) {
  const auto prepare = [scheme](PaparaProblem& problem, const Point& point, Device& device) {
    return make_cuda_session(problem, score_point(scheme, point, problem.references().alphabet),
                             cuda::cuda_device(device));
  };
  const auto sources = [scheme](const Point& point, const Point& problem) -> std::vector<KernelSource> {
    const ScorePoint at = score_point(scheme, point, alphabet_of(problem));
    if (at.ahead_of_time || why_missing(at)) return {};
    std::vector<KernelSource> sources{score_kernels().source(at.policy, device_headers())};
    if (at.border_by_fit)
      sources.push_back(score_kernels().source(other_border(at.policy), device_headers()));
    return sources;
  };
  return {.name = std::move(name),
          .device = DeviceKind::cuda,
          .summary = std::move(summary),
          .space = score_space(scheme),
          .prepare = prepare_by<PaparaProblem>(prepare),
          .sources = sources,
          .cost = [scheme](const StateOutline& state) {
            return score_cost(score_point(scheme, state.point, alphabet_of(state.problem)),
                              outlined_sizes(state));
          }};
}

}  // namespace

std::vector<Variant> cuda_variants() {
  return {variant(Scheme::row_wise_global, "row_wise_global",
                  "one matrix per thread, row by row, with the row in global memory"),
          variant(Scheme::blocked_shared, "blocked_shared",
                  "blocks of columns with the row of a block in shared memory (the paper's kernel; the axes "
                  "select the published form)"),
          variant(Scheme::blocked_registers, "blocked_registers",
                  "blocks of columns with the row and the costs of a block in registers")};
}

}  // namespace gpuseq::papara
