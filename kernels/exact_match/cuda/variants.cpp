#include "kernels/exact_match/cuda/session.hpp"

namespace gpuseq::exact_match {
namespace {

/// @param own  of static lifetime
MatchVariant variant_of(const CudaTraversal& own) {
  return {
      .variant = {
          .name = std::string(own.name),
          .device = DeviceKind::cuda,
          .summary = std::string(own.summary),
          .space = own.space(),
          .prepare = prepare_by<MatchProblem>([&own](MatchProblem& problem, const Point& point,
                                                     Device& device) {
            return make_cuda_session(problem, own.at(point), node_order_of(point), cuda::cuda_device(device));
          }),
          .sources = [&own](const Point& point, const Point&) -> std::vector<KernelSource> {
            if (is_ahead_of_time(point)) return {};
            return {match_kernels().source(own.at(point).policy, device_headers())};
          },
          .needs = [&own](const StateOutline& state) { return search_needs(own.at(state.point), state); }},
      .searcher =
          [&own](std::vector<TreePart> parts, const Search& search, const Point& point, Device& device,
                 const std::filesystem::path& cache_dir) {
            return make_cuda_searcher(std::move(parts), search, own.at(point), cuda::cuda_device(device),
                                      cache_dir);
          },
      .tree_share = 0.5};  // the other half is for queries and what is found of them
}

}  // namespace

std::vector<MatchVariant> cuda_variants() {
  return {variant_of(kTreeGpu), variant_of(kTreeWordsGpu)};
}

}  // namespace gpuseq::exact_match
