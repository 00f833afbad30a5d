#include "kernels/fm_mismatch/axes.hpp"
#include "kernels/fm_mismatch/cpu/session.hpp"

namespace gpuseq::fm_mismatch {
namespace {

/// The kernel of a variant, and its number of interleaved strands.
struct Way {
  SearchKernel (*kernel)(u32 mismatches);
  u32 (*in_flight)(const Point&);
};

constexpr Way kScalar{&scalar_kernel, [](const Point&) -> u32 { return 1; }},
    kInterleaved{&interleaved_kernel,
                 [](const Point&point) { return static_cast<u32>(point.integer("queries_in_flight")); }};

Variant variant(std::string name, std::string summary, std::vector<Axis> axes, Way way) {
  axes.push_back(prefix_axis());
  axes.push_back(threads_axis());
  return {
      .name = std::move(name),
      .summary = std::move(summary),
      .space = SearchSpace(std::move(axes)),
      .prepare = prepare_by<MismatchProblem>([way](MismatchProblem& problem, const Point& point, Device&) {
        return make_cpu_session(problem, way.kernel(problem.mismatches()), prefix_symbols_of(point),
                                way.in_flight(point), static_cast<int>(point.integer("threads")));
      }),
      .cost = estimated_cost};
}

}  // namespace

std::vector<Variant> cpu_variants() {
  return {
      variant("scalar", "one strand of a query at a time per thread", {}, kScalar),
      variant("interleaved",
              "interleaved strands of queries, each with a software prefetch of the lines of its next step",
              {integer_axis("queries_in_flight", {8, 16, 32, 64}, 32,
                            "strands of queries that a thread interleaves", 1, 4096)},
              kInterleaved)};
}

}  // namespace gpuseq::fm_mismatch
