#include "kernels/papara/cpu/plan.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::papara {
namespace {

std::vector<Axis> lanes(std::int64_t bits) {
  return {listed_axis("bits", {8, 16, 32}, bits,
                      "bits per score; scores beyond 8 bits are computed again in wider lanes"),
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
                              "sites per block; 0: as many as fit the L1 cache", 0, 1 << 20));
  axes.push_back(listed_axis("rows", {0, 1, 2, 4, 8}, 0, "matrix rows in registers; 0: as many as fit"));
  axes.push_back(integer_axis("queries_per_tile", {1, 4, 8, 16, 32}, 8,
                              "queries per tile, which share the costs of a block", 1, 4096));
  return axes;
}

std::vector<Variant> cpu_variants() {
  return {variant("sequential", "one pair at a time in 32 bits (the paper's Seq)", {}, plan_sequential,
                  sequential_cost),
          variant("row_wise", "one reference per vector lane, row by row (the paper's SIMD kernel)",
                  lanes(16), plan_row_wise, row_wise_cost),
          variant("blocked", "one reference per vector lane, blocks that fit the cache, rows in registers",
                  blocked_axes(), plan_blocked, blocked_cost)};
}

}  // namespace gpuseq::papara
