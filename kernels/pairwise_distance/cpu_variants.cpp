#include "kernels/pairwise_distance/cpu_appendix.hpp"
#include "kernels/pairwise_distance/cpu_bytes.hpp"
#include "kernels/pairwise_distance/cpu_planes.hpp"
#include "runtime/axes.hpp"

namespace gpuseq::pairwise_distance {
namespace {

using namespace std::string_literals;

std::vector<Axis> block_axes(std::vector<AxisValue> tiles, const std::string& tile_meaning) {
  return {simd_target_axis(),
          listed_axis("tile", std::move(tiles), "best"s, tile_meaning),
          listed_axis("symmetric", {"half"s, "all"s}, "half"s,
                      "each pair once, written to both of its places, or all of the matrix computed"),
          integer_axis("block", {0, 32, 64, 128, 256}, 0,
                       "instances of a side of what a thread computes before it is written; 0: chosen", 0,
                       1024, kInstancePadding),
          integer_axis("attributes_a_step", {0, 1024, 4096, 16384}, 0,
                       "attributes that all pairs of a block are compared by before the next; 0: chosen", 0,
                       1 << 24, 64),
          threads_axis()};
}

BlockOptions block_options(const Point& point) {
  return {.block = static_cast<u64>(point.integer("block")),
          .half = point.word("symmetric") == "half",
          .threads = static_cast<int>(point.integer("threads"))};
}

}  // namespace

std::vector<Variant> cpu_variants() {
  return {
      {"appendix", DeviceKind::cpu, "the paper's appendix: all pairs, 32-bit values, no vectors, one thread",
       SearchSpace()},
      {"bytes", DeviceKind::cpu, "a byte for each attribute, any alphabet and metric, SSE4 to AVX-512",
       SearchSpace(block_axes({"best"s, "4x4"s, "2x4"s, "2x2"s, "1x4"s, "1x1"s},
                              "instances by instances whose sums are in registers"))},
      {"bit_planes", DeviceKind::cpu, "planes of bits, exclusive or and population count, SSE4 to AVX-512",
       SearchSpace(block_axes({"best"s, "8x2"s, "4x4"s, "4x2"s, "2x2"s, "1x1"s},
                              "instances by vectors of instances whose counts are in registers"))}};
}

std::unique_ptr<DistanceSession> prepare_cpu(DistanceProblem& problem, const Variant& variant,
                                             const Point& point, Device&) {
  const Point complete = variant.space.complete(point);
  if (variant.name == "appendix") return make_appendix_session(problem);
  const SimdTarget target = parse_simd_target(complete.word("target"));
  const TileShape tile = parse_tile(complete.word("tile"));
  const u64 attributes = static_cast<u64>(complete.integer("attributes_a_step"));
  std::unique_ptr<BlockComparer> comparer;
  if (variant.name == "bytes")
    comparer = make_byte_comparer(problem, {.target = target, .tile = tile, .attributes = attributes});
  else
    comparer = make_plane_comparer(problem, {.target = target, .tile = tile, .attributes = attributes});
  return make_blocked_session(problem, std::move(comparer), block_options(complete));
}

}  // namespace gpuseq::pairwise_distance
