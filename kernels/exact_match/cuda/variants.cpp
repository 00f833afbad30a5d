#include <fmt/format.h>

#include "kernels/common/exported_cuda.hpp"
#include "kernels/exact_match/cuda/session.hpp"
#include "kernels/exact_match/export.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/cuda/peers/group.hpp"

namespace gpuseq::exact_match {
namespace {

/// The search parameters of a point's library.
std::string cuda_point_text(const MatchPoint& at) {
  return fmt::format(
      "#pragma once\n\n"
      "#include \"kernels/exact_match/cuda/match_policy.cuh\"\n\n"
      "namespace gpuseq::exact_match {{\n\n"
      "inline constexpr MatchPolicy kExportedPolicy{{{}}};\n"
      "inline constexpr bool kExportedSorted = {};\n\n"
      "const void* exported_kernel();\n\n"
      "}}  // namespace gpuseq::exact_match\n",
      match_kernels().values(at.policy), at.sorted);
}

/// @param where  a use in which a session's budget has no meaning
void refuse_budget(const MatchPoint& at, std::string_view where) {
  if (at.memory_bytes > 0)
    throw UsageError(fmt::format("memory_mib: found {}, allowed {}: 0", at.memory_bytes >> 20, where));
}

ExportedLibrary exported(const CudaTraversal& own, const Point& point) {
  const MatchPoint at = own.at(point);
  refuse_budget(at, "in a library");
  ExportedLibrary library = exported_library(fmt::format("{} {}", own.name, point.to_string()),
                                             point.word("node_order"), at.letters);
  add_cuda<MatchPolicy>(library, match_kernels(), {&at.policy, 1}, cuda_point_text(at),
                        fmt::format("namespace gpuseq::exact_match {{\n\n"
                                    "const void* exported_kernel() {{\n"
                                    "  return {};\n"
                                    "}}\n\n"
                                    "}}  // namespace gpuseq::exact_match\n",
                                    match_kernels().address(at.policy)));
  return library;
}

/// @param own  has static lifetime
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
          .cost = [&own](const StateOutline& state) { return estimated_cost(own.at(state.point), state); },
          .exported = [&own](const Point& point) { return exported(own, point); }},
      .searcher =
          [&own](std::vector<TreePart> parts, const Search& search, const Point& point, Device& device,
                 const std::filesystem::path& cache_dir) {
            const MatchPoint at = own.at(point);
            refuse_budget(at, "in exec, which has --memory");
            return make_cuda_searcher(std::move(parts), search, at, cuda::cuda_device(device), cache_dir);
          },
      .tree_share = 0.5};  // the other half is for queries and results
}

/// Sessions only: a library or a search of blocks of queries has one GPU.
MatchVariant variant_on_gpus() {
  MatchVariant own = variant_of(kTreeWordsGpus);
  own.variant.prepare =
      prepare_by<MatchProblem>([](MatchProblem& problem, const Point& point, Device& device) {
        cuda::CudaDevice& first = cuda::cuda_device(device);
        return make_session_on_gpus(problem, kTreeWordsGpus.at(point), node_order_of(point), first,
                                    cuda::open_peers_of(first, point));
      });
  own.variant.cost = [one = own.variant.cost](const StateOutline& state) {
    return cuda::cost_on_gpus(one(state), state.point);
  };
  own.variant.exported = {};
  own.searcher = [](auto&&...) -> std::unique_ptr<Searcher> {
    throw UsageError("tree_words_gpus shares one problem among GPUs, allowed in exec: tree_words_gpu");
  };
  return own;
}

}  // namespace

std::vector<MatchVariant> cuda_variants() {
  return {variant_of(kTreeGpu), variant_of(kTreeWordsGpu), variant_on_gpus()};
}

}  // namespace gpuseq::exact_match
