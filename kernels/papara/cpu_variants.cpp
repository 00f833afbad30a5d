#include "kernels/papara/problem.hpp"
#include "runtime/axes.hpp"

namespace gpuseq::papara {
namespace {

using namespace std::string_literals;

std::vector<Axis> lanes(std::int64_t bits) {
  return {listed_axis("bits", {8, 16, 32}, bits,
                      "of a score; scores beyond 8 bits are computed anew in wider lanes"),
          simd_target_axis()};
}

std::vector<Axis> blocks() {
  return {integer_axis("block_columns", {0, 64, 128, 256, 512, 1024, 4096}, 0,
                       "sites of a block; 0: as many as fit the first-level cache", 0, 1 << 20),
          listed_axis("rows", {0, 1, 2, 4, 8}, 0, "rows of the matrix in registers; 0: as many as they hold"),
          integer_axis("queries_per_tile", {1, 4, 8, 16, 32}, 8, "queries that share the costs of a block", 1,
                       4096)};
}

SearchSpace joined(std::vector<Axis> axes, const std::vector<Axis>& more) {
  axes.insert(axes.end(), more.begin(), more.end());
  axes.push_back(threads_axis());
  return SearchSpace(std::move(axes));
}

}  // namespace

std::vector<Variant> cpu_variants() {
  return {
      {"sequential", DeviceKind::cpu, "one pair after the other, 32 bits (the paper's Seq)", joined({}, {})},
      {"row_wise", DeviceKind::cpu, "one reference a vector lane, row by row (the paper's SIMD kernel)",
       joined(lanes(16), {})},
      {"blocked", DeviceKind::cpu, "one reference a vector lane, blocks in cache, rows in registers",
       joined(lanes(8), blocks())}};
}

}  // namespace gpuseq::papara
