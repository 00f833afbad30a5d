#include "kernels/pairwise_distance/cpu/appendix.hpp"
#include "kernels/pairwise_distance/cpu/blocks.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::pairwise_distance {
namespace {

using namespace std::string_literals;

std::vector<Axis> block_axes(std::vector<AxisValue> tiles, const std::string& tile_meaning) {
  return {simd_target_axis(),
          listed_axis("tile", std::move(tiles), "best"s, tile_meaning),
          listed_axis("symmetric", {"half"s, "all"s}, "half"s,
                      "half: each pair is computed once and written to both of its places; all: the whole "
                      "matrix is computed"),
          integer_axis(
              "block", {0, 32, 64, 128, 256}, 0,
              "instances per side of the block that a thread computes before it is written; 0: automatic", 0,
              1024, kInstancePadding),
          integer_axis("attributes_a_step", {0, 1024, 4096, 16384}, 0,
                       "attributes that all pairs of a block are compared by at a time; 0: automatic", 0,
                       1 << 24, 64),
          threads_axis()};
}

ComparerOptions comparer_options(const Point& point) {
  return {.target = parse_simd_target(point.word("target")),
          .tile = parse_tile(point.word("tile")),
          .attributes = static_cast<u64>(point.integer("attributes_a_step"))};
}

BlockOptions block_options(const Point& point) {
  return {.block = static_cast<u64>(point.integer("block")),
          .half = point.word("symmetric") == "half",
          .threads = static_cast<int>(point.integer("threads"))};
}

EstimateCost estimate(Cost (*compared)(const KnownData& data, const ComparerOptions& options, double pairs)) {
  return [compared](const StateOutline& state) {
    const KnownData data = known_data(state.problem);
    const BlockOptions blocks = block_options(state.point);
    const double pairs = pairs_of(data.instances, blocks.half);
    return blocked_cost(data, compared(data, comparer_options(state.point), pairs), blocks);
  };
}

using MakeComparer = std::unique_ptr<BlockComparer> (*)(const DistanceProblem& problem,
                                                        const ComparerOptions& options);

Prepare blocked(MakeComparer make) {
  return prepare_by<DistanceProblem>([make](DistanceProblem& problem, const Point& point, Device&) {
    return make_blocked_session(problem, make(problem, comparer_options(point)), block_options(point));
  });
}

}  // namespace

std::vector<Variant> cpu_variants() {
  return {
      {.name = "appendix",
       .summary = "the code of the paper's appendix: all pairs, 32-bit values, not vectorised, one thread",
       .space = {},
       .prepare = prepare_by<DistanceProblem>(
           [](DistanceProblem& problem, const Point&, Device&) { return make_appendix_session(problem); }),
       .cost = appendix_cost},
      {.name = "bytes",
       .summary = "one byte per attribute, any alphabet and metric, SSE4 to AVX-512",
       .space = SearchSpace(block_axes({"best"s, "4x4"s, "2x4"s, "2x2"s, "1x4"s, "1x1"s},
                                       "tile of instances by instances whose sums are in registers")),
       .prepare = blocked(&make_byte_comparer),
       .cost = estimate(&byte_cost)},
      {.name = "floats",
       .summary = "one 32-bit floating-point number per attribute, real values and codes, SSE4 to AVX-512",
       .space = SearchSpace(block_axes({"best"s, "4x4"s, "2x4"s, "2x2"s, "1x4"s, "1x1"s},
                                       "tile of instances by instances whose sums are in registers")),
       .prepare = blocked(&make_float_comparer),
       .cost = estimate(&float_cost)},
      {.name = "bit_planes",
       .summary = "bit planes with exclusive or and population count, SSE4 to AVX-512",
       .space =
           SearchSpace(block_axes({"best"s, "8x2"s, "4x4"s, "4x2"s, "2x2"s, "1x1"s},
                                  "tile of instances by vectors of instances whose counts are in registers")),
       .prepare = blocked(&make_plane_comparer),
       .cost = estimate(&plane_cost)}};
}

}  // namespace gpuseq::pairwise_distance
