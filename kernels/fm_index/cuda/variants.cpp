#include <fmt/format.h>

#include "kernels/common/exported_cuda.hpp"
#include "kernels/fm_index/cuda/session.hpp"
#include "kernels/fm_index/export.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::fm_index {
namespace {

/// How the library of a point searches.
std::string cuda_point_text(const SearchPoint& at) {
  return fmt::format(
      "#pragma once\n\n"
      "#include \"kernels/fm_index/cuda/search_policy.cuh\"\n\n"
      "namespace gpuseq::fm_index {{\n\n"
      "inline constexpr Policy kExportedPolicy{{{}}};\n"
      "inline constexpr u32 kExportedActiveThreads = {};\n\n"
      "const void* exported_kernel(bool wide);\n\n"
      "}}  // namespace gpuseq::fm_index\n",
      search_kernels().values(at.policy), at.active_threads);
}

ExportedLibrary exported(Scheme scheme, const Point& point) {
  const SearchPoint at = search_point(scheme, point);
  if (at.order)
    throw UsageError(
        fmt::format("device_order = {}: libraries search queries as they are given; allowed: as_given",
                    point.word("device_order")));
  if (at.index_on != IndexOn::one)
    throw UsageError(
        fmt::format("index_on = {}: libraries search on one device; allowed: one", point.word("index_on")));
  ExportedLibrary library = exported_library(fmt::format("{} {}", name_of(scheme), point.to_string()),
                                             at.policy.layout(), at.prefix_symbols);
  std::vector<Policy> policies{at.policy};
  if (at.policy.layout().may_be_wide()) {
    policies.push_back(at.policy);
    policies.back().wide = true;
  }
  add_cuda<Policy>(library, search_kernels(), policies, cuda_point_text(at),
                   fmt::format("namespace gpuseq::fm_index {{\n\n"
                               "const void* exported_kernel(bool wide) {{\n"
                               "  return wide ? {} : {};\n"
                               "}}\n\n"
                               "}}  // namespace gpuseq::fm_index\n",
                               policies.size() > 1 ? search_kernels().address(policies[1]) : "nullptr",
                               search_kernels().address(policies[0])));
  return library;
}

Variant variant(Scheme scheme, std::string summary) {
  const auto prepare = [scheme](FmProblem& problem, const Point& point, Device& device) {
    return prepare_search(problem, search_point(scheme, point), cuda::cuda_device(device));
  };
  const auto sources = [scheme](const Point& point, const Point&) -> std::vector<KernelSource> {
    const SearchPoint at = search_point(scheme, point);
    if (at.ahead_of_time) return {};
    if (!at.policy.layout().may_be_wide()) return {search_kernels().source(at.policy, device_headers())};
    Policy wide = at.policy;
    wide.wide = true;
    return {search_kernels().source(at.policy, device_headers()),
            search_kernels().source(wide, device_headers())};
  };
  const auto cost = [scheme](const StateOutline& state) {
    return search_cost(search_point(scheme, state.point), state);
  };
  Export exported_at;  // for FM-indexes that have a format and depend on no machine
  if (scheme != Scheme::verify && scheme != Scheme::elias_fano && scheme != Scheme::one_hot_routed)
    exported_at = [scheme](const Point& point) { return exported(scheme, point); };
  return {.name = std::string(name_of(scheme)),
          .device = DeviceKind::cuda,
          .summary = std::move(summary),
          .space = search_space(scheme),
          .prepare = prepare_by<FmProblem>(prepare),
          .sources = sources,
          .cost = cost,
          .exported = exported_at};
}

}  // namespace

std::vector<Variant> cuda_variants() {
  return {
      variant(Scheme::task_parallel,
              "one thread per query computes l and h, 4-byte loads (the naive scheme)"),
      variant(Scheme::task_parallel_16b, "one thread per query computes l and h, 16-byte loads"),
      variant(Scheme::task_parallel_split, "two threads per query, one LF mapping each, 16-byte loads"),
      variant(Scheme::memory_cooperative,
              "a warp copies whole entries to shared memory, and each thread counts in its own entry"),
      variant(Scheme::full_cooperative,
              "a group of neighbouring lanes per query reads and counts its entry together"),
      variant(Scheme::full_cooperative_split,
              "two threads per query, one LF mapping each; a group of neighbouring lanes reads and counts "
              "for them in turn (the published scheme)"),
      variant(Scheme::one_hot, "one-hot bit-vectors of each k-mer: one 32-byte sector per step"),
      variant(Scheme::one_hot_routed,
              "one_hot for an index beyond TLB reach: all queries take a step at a time, on the "
              "multiprocessors whose window of the index the step reads"),
      variant(Scheme::psi, "psi table: predecessor search for l and h among the entries of a k-mer"),
      variant(Scheme::psi_lines,
              "psi table with one line per k-mer: one block per step, at an address independent of l and h"),
      variant(Scheme::elias_fano, "Elias-Fano compressed bit-vectors of each k-mer: one line per step"),
      variant(Scheme::verify,
              "suffix array without FM-index: k bases are looked up, the others compared with the text")};
}

}  // namespace gpuseq::fm_index
