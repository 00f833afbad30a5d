#include "kernels/papara/problem.hpp"
#include "runtime/axes.hpp"

namespace gpuseq::papara {
namespace {

using namespace std::string_literals;

Axis listed(std::string name, std::vector<AxisValue> values, AxisValue default_value, std::string meaning) {
  return {.name = std::move(name),
          .values = std::move(values),
          .default_value = std::move(default_value),
          .meaning = std::move(meaning)};
}

Axis integers(std::string name, std::vector<AxisValue> values, std::int64_t default_value,
              std::string meaning, std::int64_t low, std::int64_t high) {
  Axis axis = open_integer_axis(std::move(name), low, high, default_value, std::move(meaning));
  axis.values = std::move(values);
  return axis;
}

Axis threads() {
  return integers("threads", {1, 0}, 0, "pinned threads; 0: one per processor", 0, 1024);
}

std::vector<Axis> lanes(std::int64_t bits) {
  return {
      listed("bits", {8, 16, 32}, bits, "of a score; scores beyond 8 bits are computed anew in wider lanes"),
      listed("target", {"best"s, "sse4"s, "avx2"s, "avx512"s}, "best"s, "instruction set")};
}

std::vector<Axis> blocks() {
  return {
      integers("block_columns", {0, 64, 128, 256, 512, 1024, 4096}, 0,
               "sites of a block; 0: as many as fit the first-level cache", 0, 1 << 20),
      listed("rows", {0, 1, 2, 4, 8}, 0, "rows of the matrix in registers; 0: as many as they hold"),
      integers("queries_per_tile", {1, 4, 8, 16, 32}, 8, "queries that share the costs of a block", 1, 4096)};
}

SearchSpace joined(std::vector<Axis> axes, const std::vector<Axis>& more) {
  axes.insert(axes.end(), more.begin(), more.end());
  axes.push_back(threads());
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
