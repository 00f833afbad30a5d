#include "kernels/papara/cpu/plan.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::papara {
namespace {

std::vector<Axis> lanes(std::int64_t bits) {
  return {listed_axis("bits", {8, 16, 32}, bits,
                      "of a score; scores beyond 8 bits are computed anew in wider lanes"),
          simd_target_axis()};
}

Variant variant(std::string name, std::string summary, std::vector<Axis> axes,
                CpuPlan (*plan)(const PaparaProblem&, const Point&), EstimateCost cost) {
  axes.push_back(threads_axis());
  const auto prepare = [plan](PaparaProblem& problem, const Point& point, Device&) {
    return make_cpu_session(problem, plan(problem, point), static_cast<int>(point.integer("threads")));
  };
  return {.name = std::move(name),
          .summary = std::move(summary),
          .space = SearchSpace(std::move(axes)),
          .prepare = prepare_by<PaparaProblem>(prepare),
          .cost = std::move(cost)};
}

}  // namespace

std::vector<Axis> blocked_axes() {
  std::vector<Axis> axes = lanes(8);
  axes.push_back(integer_axis("block_columns", {0, 64, 128, 256, 512, 1024, 4096}, 0,
                              "sites of a block; 0: as many as fit the first-level cache", 0, 1 << 20));
  axes.push_back(
      listed_axis("rows", {0, 1, 2, 4, 8}, 0, "rows of the matrix in registers; 0: as many as they hold"));
  axes.push_back(integer_axis("queries_per_tile", {1, 4, 8, 16, 32}, 8,
                              "queries that share the costs of a block", 1, 4096));
  return axes;
}

std::vector<Variant> cpu_variants() {
  return {variant("sequential", "one pair after the other, 32 bits (the paper's Seq)", {}, plan_sequential,
                  sequential_cost),
          variant("row_wise", "one reference a vector lane, row by row (the paper's SIMD kernel)", lanes(16),
                  plan_row_wise, row_wise_cost),
          variant("blocked", "one reference a vector lane, blocks in cache, rows in registers",
                  blocked_axes(), plan_blocked, blocked_cost)};
}

}  // namespace gpuseq::papara
