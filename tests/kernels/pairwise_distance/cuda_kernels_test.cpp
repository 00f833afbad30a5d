#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "cuda_emulated_block.hpp"
#include "cuda_instances.hpp"
#include "cuda_points.hpp"
#include "kernels/pairwise_distance/cuda/encoding.hpp"
#include "kernels/pairwise_distance/cuda/ladder.cuh"
#include "kernels/pairwise_distance/cuda/parts.hpp"
#include "kernels/pairwise_distance/cuda/tile_kernel.cuh"
#include "runtime/contract/errors.hpp"
#include "small_instances.hpp"

// The kernels, run on the CPU thread by thread, against distances by definition.

namespace gpuseq::pairwise_distance {
namespace {

using testing::EmulatedBlock;
using testing::expected_distances;
using testing::instances_of;

/// Marks places that a kernel did not write.
constexpr u32 kUnwritten = 0xDEADBEEF;

/// A copy whose place is aligned for 16-byte loads, filled up with bytes that must not matter.
class Aligned {
 public:
  Aligned(std::span<const u8> from, std::size_t bytes) : pieces_(std::max(from.size(), bytes) / 16 + 1) {
    std::fill_n(data(), pieces_.size() * 16, u8{0xA5});
    std::ranges::copy(from, data());
  }
  u8* data() { return reinterpret_cast<u8*>(pieces_.data()); }

 private:
  std::vector<Piece> pieces_;
};

template <TilePolicy policy>
struct TileTuned {
  static constexpr TilePolicy value = policy;
};
template <LadderPolicy policy>
struct LadderTuned {
  static constexpr LadderPolicy value = policy;
};

template <class Tuned>
Distances emulated_tiles(const Instances& instances, Metric metric) {
  constexpr TilePolicy policy = Tuned::value;
  const u64 count = instances.count, matrix = count * count;
  Distances found{.count = count, .sum = std::vector<u32>(matrix, kUnwritten), .compared = {}};
  if (instances.has_missing()) found.compared.assign(matrix, kUnwritten);
  ThreadPool pool(2, false);
  const auto encoded = encode(policy, instances, metric, pool);
  const u64 padded = count + std::max(policy.block_rows(), policy.block_columns());
  std::vector<Aligned> rows;
  rows.reserve(2 * encoded.size());
  TileArguments arguments{};
  for (const EncodedPass& from : encoded) {
    EXPECT_EQ(from.row_pieces % policy.pieces, 0u);
    const u64 bytes = padded * from.row_pieces * kPieceBytes;
    Pass& pass = arguments.passes[arguments.pass_count++];
    pass = {.left = rows.emplace_back(from.left, bytes).data(),
            .right = nullptr,
            .row_pieces = from.row_pieces,
            .formula = from.formula,
            .result = from.makes_compared ? found.compared.data() : found.sum.data()};
    pass.right = from.right.empty() ? pass.left : rows.emplace_back(from.right, bytes).data();
    if (!from.norms.empty()) pass.formula.row_norms = pass.formula.column_norms = from.norms.data();
    if (from.takes_compared) pass.formula.compared = found.compared.data();
  }
  const std::vector<u32> tiles = tiles_of(policy, count, 4);
  arguments.rows = arguments.columns = static_cast<u32>(count);
  arguments.is_last = 1;
  arguments.compared = found.compared.data();
  arguments.tiles = tiles.data();
  Aligned shared({}, policy.shared_bytes());
  EmulatedBlock block(policy.threads());
  for (u32 number = 0; number < tiles.size(); ++number)
    block.run([&](u32 thread) {
      tile_of_pairs<Tuned>(arguments,
                           {.thread = thread, .block = number, .blocks = static_cast<u32>(tiles.size())},
                           shared.data());
    });
  return found;
}

template <class Tuned>
Distances emulated_ladder(const Instances& instances) {
  constexpr LadderPolicy policy = Tuned::value;
  const u64 count = instances.count;
  const auto row_bytes = static_cast<u32>((instances.attributes + 3) / 4 * 4);
  const std::vector<u8> data = ladder_data(instances, policy.rung == Rung::naive, policy.bytes(), row_bytes);
  Aligned aligned(data, 0);
  const bool in_constants = policy.path == ReadPath::constant;
  if (in_constants) {
    std::ranges::fill(ladder_constants, kUnwritten);
    EXPECT_LE(data.size(), sizeof ladder_constants);
    std::memcpy(ladder_constants, data.data(), data.size());
  }
  Distances found{
      .count = count, .sum = std::vector<u32>(count * count, policy.adds() ? 0 : kUnwritten), .compared = {}};
  const LadderArguments arguments{.data = in_constants ? nullptr : aligned.data(),
                                  .distances = found.sum.data(),
                                  .instances = static_cast<u32>(count),
                                  .attributes = static_cast<u32>(instances.attributes),
                                  .row_bytes = row_bytes,
                                  .texture = reinterpret_cast<u64>(aligned.data())};
  std::vector<u32> shared(policy.shared_words());
  EmulatedBlock block(policy.threads);
  for (u32 pair = 0; pair < count * count; ++pair)
    block.run([&](u32 thread) {
      ladder<Tuned>(arguments, {thread, pair, static_cast<u32>(count * count)}, shared.data());
    });
  return found;
}

template <class Tuned>
class LadderKernel : public ::testing::Test {};
using Ladder = ::testing::Types<
    LadderTuned<LadderPolicy{Rung::naive, 32}>, LadderTuned<LadderPolicy{Rung::coalesced, 64}>,
    LadderTuned<LadderPolicy{Rung::char4, 32}>, LadderTuned<LadderPolicy{Rung::byte_register, 32}>,
    LadderTuned<LadderPolicy{Rung::shared, 64}>,
    LadderTuned<LadderPolicy{Rung::shared, 64, ReadPath::constant}>,
    LadderTuned<LadderPolicy{Rung::shared, 64, ReadPath::texture}>,
    LadderTuned<LadderPolicy{Rung::shared, 128, ReadPath::global, Sum::tree}>,
    LadderTuned<LadderPolicy{Rung::shared, 32, ReadPath::constant, Sum::tree}>,
    LadderTuned<LadderPolicy{Rung::shared, 128, ReadPath::global, Sum::shuffles}>,
    LadderTuned<LadderPolicy{Rung::shared, 32, ReadPath::texture, Sum::shuffles}>>;
TYPED_TEST_SUITE(LadderKernel, Ladder);

TYPED_TEST(LadderKernel, CountsDifferencesOfSizesThatAreNoMultipleOfAnything) {
  for (const u64 count : {1, 2, 7})
    for (const u64 attributes : {1, 3, 4, 131, 515}) {
      const Instances instances = instances_of(count, attributes, attributes == 131 ? 256 : 3, 0);
      EXPECT_EQ(emulated_ladder<TypeParam>(instances), expected_distances(instances, Metric::hamming))
          << count << " instances, " << attributes << " attributes";
    }
}

template <class Tuned>
class TileKernel : public ::testing::Test {};

constexpr TilePolicy threads(Product product, u32 planes, bool present, u32 pieces, u32 stages, bool carry,
                             u32 rows = 2, u32 columns = 4, bool half = true) {
  TilePolicy policy{.product = product, .planes = planes, .present = present};
  policy.rows = rows, policy.columns = columns, policy.row_groups = 4, policy.column_groups = 8;
  policy.pieces = pieces * policy.unit(), policy.stages = stages;
  policy.half = half, policy.carry_save = carry;
  return policy;
}
constexpr TilePolicy warps(Product product, u32 rows, u32 columns, u32 row_groups, u32 column_groups,
                           u32 pieces, u32 stages, bool half = true, bool derived = false) {
  return {.product = product,
          .rows = rows,
          .columns = columns,
          .row_groups = row_groups,
          .column_groups = column_groups,
          .pieces = pieces,
          .stages = stages,
          .half = half,
          .derived = derived};
}

using Tiles = ::testing::Types<TileTuned<threads(Product::differ, 2, false, 2, 2, true)>,
                               TileTuned<threads(Product::differ, 2, true, 1, 1, true, 2, 2)>,
                               TileTuned<threads(Product::differ, 2, true, 2, 3, false, 4, 2)>,
                               TileTuned<threads(Product::differ, 1, false, 4, 2, false, 8, 2, false)>,
                               TileTuned<threads(Product::differ, 8, true, 1, 2, true)>,
                               TileTuned<threads(Product::differ, 5, false, 2, 2, true)>,
                               TileTuned<threads(Product::steps, 2, false, 2, 2, true)>,
                               TileTuned<threads(Product::steps, 2, true, 1, 2, false)>,
                               TileTuned<threads(Product::steps, 8, true, 1, 1, true, 2, 2)>,
                               TileTuned<threads(Product::bytes, 1, false, 4, 2, false, 4, 4)>,
                               TileTuned<threads(Product::bytes, 1, false, 2, 3, false, 8, 2, false)>,
                               TileTuned<threads(Product::float_differ, 1, false, 4, 2, false, 4, 4)>,
                               TileTuned<threads(Product::float_absolute, 1, true, 2, 2, false, 2, 2)>,
                               TileTuned<threads(Product::float_square, 1, true, 2, 3, false, 8, 2, false)>,
                               TileTuned<threads(Product::float_square, 1, false, 8, 1, false)>,
                               TileTuned<warps(Product::matrix_b1, 16, 16, 2, 2, 4, 3)>,
                               TileTuned<warps(Product::matrix_b1, 32, 16, 1, 4, 8, 2)>,
                               TileTuned<warps(Product::matrix_b1, 64, 64, 2, 4, 8, 3)>,
                               TileTuned<warps(Product::matrix_b1, 16, 32, 2, 1, 2, 4, false)>,
                               TileTuned<warps(Product::matrix_b1, 16, 32, 2, 1, 4, 3, true, true)>,
                               TileTuned<warps(Product::matrix_b1, 64, 32, 1, 2, 8, 2, false, true)>,
                               TileTuned<warps(Product::matrix_s8, 16, 16, 2, 2, 4, 3)>,
                               TileTuned<warps(Product::matrix_s8, 32, 64, 2, 1, 4, 1)>>;
TYPED_TEST_SUITE(TileKernel, Tiles);

/// Whether a policy is the one that the program would take for data: planes are constants of a kernel.
bool is_for(const TilePolicy& policy, const Instances& instances, Metric metric) {
  const PairShape shape{.metric = metric,
                        .alphabet = instances.alphabet,
                        .missing = instances.has_missing(),
                        .instances = instances.count};
  try {
    check_representation(policy.product, shape);
  } catch (const ResourceError&) {
    return false;
  }
  if (policy.derived) return metric == Metric::hamming && shape.alphabet == 3 && !shape.missing;
  if (!policy.on_planes() && !policy.on_floats()) return true;
  const TileVariant& variant = testing::tile_variant(policy.on_floats() ? "float_tiled" : "register_tiled");
  const TilePolicy taken = variant.choose(variant.space().complete({}), shape);
  return taken.product == policy.product && taken.present == policy.present &&
         (policy.on_floats() || taken.planes == policy.planes);
}

TYPED_TEST(TileKernel, MakesTheDistancesOfEveryMetricThatItDoes) {
  constexpr TilePolicy policy = TypeParam::value;
  u32 done = 0;
  for (const Metric metric : {Metric::hamming, Metric::manhattan, Metric::squared_euclidean, Metric::ibs})
    for (const u32 alphabet : {1, 2, 3, 5, 9, 12, 30, 128, 256})
      for (const u32 missing : {0, 100}) {
        const Instances instances = instances_of(19, 203, alphabet, missing);
        if (!is_for(policy, instances, metric)) continue;
        ++done;
        EXPECT_EQ(emulated_tiles<TypeParam>(instances, metric), expected_distances(instances, metric))
            << tile_kernels().name(policy) << ": " << kMetricNames[static_cast<u32>(metric)] << ", "
            << alphabet << " symbols, missing " << missing;
      }
  EXPECT_GT(done, 0u);
}

TYPED_TEST(TileKernel, MakesTheDistancesOfSizesThatAreNoMultipleOfAnything) {
  constexpr TilePolicy policy = TypeParam::value;
  const Metric metric = policy.product == Product::steps || policy.product == Product::float_absolute
                            ? Metric::manhattan
                        : policy.product == Product::float_square ? Metric::squared_euclidean
                                                                  : Metric::hamming;
  const u32 alphabet = policy.product == Product::steps ? policy.planes + 1
                       : policy.on_planes()             ? 1u << policy.planes
                                                        : 3;
  const bool in_kernel = policy.on_planes() || policy.on_floats();  // whether values are missing
  const u32 missing = policy.derived ? 0 : in_kernel ? (policy.present ? 30 : 0) : 5;
  for (const u64 count : {1u, 2u, policy.block_columns() + 1, 2 * policy.block_rows() + 3})
    for (const u64 attributes : {1, 64, 129, 1100}) {
      if (count > 100 && attributes != 129) continue;
      const Instances instances = instances_of(count, attributes, alphabet, missing);
      EXPECT_EQ(emulated_tiles<TypeParam>(instances, metric), expected_distances(instances, metric))
          << tile_kernels().name(policy) << ": " << count << " instances, " << attributes << " attributes";
    }
}

/// Rows of instances from one on, aligned, as a part has them on the device.
template <class Tuned>
std::unique_ptr<Aligned> part_rows(const std::vector<u8>& rows, const EncodedPass& pass, u64 first,
                                   u64 instances) {
  constexpr TilePolicy policy = Tuned::value;
  const u64 row_bytes = u64{pass.row_pieces} * kPieceBytes;
  const u64 padded = instances + std::max(policy.block_rows(), policy.block_columns());
  return std::make_unique<Aligned>(std::span(rows).subspan(first * row_bytes, instances * row_bytes),
                                   padded * row_bytes);
}

/// The distances of `rows` x `columns` instances from (row, column) on, of some attributes at a time.
template <class Tuned>
void emulate_part(const std::vector<std::vector<EncodedPass>>& slices, u64 row, u64 rows, u64 column,
                  u64 columns, std::vector<u32>& sums, std::vector<u32>& compared) {
  constexpr TilePolicy policy = Tuned::value;
  for (std::size_t slice = 0; slice < slices.size(); ++slice) {
    std::vector<std::unique_ptr<Aligned>> memory;
    TileArguments arguments{};
    arguments.is_last = slice + 1 == slices.size() ? 1 : 0;
    arguments.adds = slice > 0 ? 1 : 0;
    for (const EncodedPass& from : slices[slice]) {
      Pass& pass = arguments.passes[arguments.pass_count++];
      pass.row_pieces = from.row_pieces;
      pass.formula = from.formula;
      pass.result = from.makes_compared ? compared.data() : sums.data();
      pass.left = memory.emplace_back(part_rows<Tuned>(from.left, from, row, rows))->data();
      pass.right = memory
                       .emplace_back(part_rows<Tuned>(from.right.empty() ? from.left : from.right, from,
                                                      column, columns))
                       ->data();
      if (!from.norms.empty()) {
        pass.formula.row_norms = from.norms.data() + row;
        pass.formula.column_norms = from.norms.data() + column;
      }
      if (from.takes_compared && arguments.is_last == 1) pass.formula.compared = compared.data();
    }
    const std::vector<u32> tiles = tiles_of(policy, rows, columns, 4);
    arguments.rows = static_cast<u32>(rows);
    arguments.columns = static_cast<u32>(columns);
    arguments.compared = compared.data();
    arguments.tiles = tiles.data();
    Aligned shared({}, policy.shared_bytes());
    EmulatedBlock block(policy.threads());
    for (u32 number = 0; number < tiles.size(); ++number)
      block.run([&](u32 thread) {
        tile_of_pairs<Tuned>(arguments, {thread, number, static_cast<u32>(tiles.size())}, shared.data());
      });
  }
}

template <class Tuned>
Distances emulated_parts(const Instances& instances, Metric metric, const PartSizes& sizes) {
  ThreadPool pool(2, false);
  const auto slices = encode_slices(Tuned::value, instances, metric, sizes.attributes, pool);
  const u64 count = instances.count;
  Distances found{.count = count, .sum = std::vector<u32>(count * count), .compared = {}};
  if (instances.has_missing()) found.compared.resize(count * count);
  for (u64 row = 0; row < count; row += sizes.rows)
    for (u64 column = 0; column < count; column += sizes.columns) {
      const u64 rows = std::min(sizes.rows, count - row), columns = std::min(sizes.columns, count - column);
      std::vector<u32> sums(rows * columns, kUnwritten), compared(rows * columns, kUnwritten);
      emulate_part<Tuned>(slices, row, rows, column, columns, sums, compared);
      for (u64 i = 0; i < rows * columns; ++i) {
        const u64 place = (row + i / columns) * count + column + i % columns;
        found.sum[place] = sums[i];
        if (instances.has_missing()) found.compared[place] = compared[i];
      }
    }
  return found;
}

template <class Tuned>
class PartKernel : public ::testing::Test {};
using Parts = ::testing::Types<TileTuned<threads(Product::differ, 2, true, 1, 2, true, 2, 4, false)>,
                               TileTuned<threads(Product::steps, 2, false, 1, 2, true, 2, 4, false)>,
                               TileTuned<threads(Product::bytes, 1, false, 2, 2, false, 2, 4, false)>,
                               TileTuned<threads(Product::float_absolute, 1, true, 2, 2, false, 2, 4, false)>,
                               TileTuned<threads(Product::float_root, 1, false, 2, 2, false, 4, 4, false)>,
                               TileTuned<threads(Product::float_root, 1, true, 2, 1, false, 4, 4, false)>,
                               TileTuned<warps(Product::matrix_b1, 16, 16, 1, 2, 4, 2, false)>,
                               TileTuned<warps(Product::matrix_b1, 16, 16, 1, 2, 4, 2, false, true)>,
                               TileTuned<warps(Product::matrix_s8, 16, 16, 2, 1, 4, 2, false)>>;
TYPED_TEST_SUITE(PartKernel, Parts);

TYPED_TEST(PartKernel, MakesTheDistancesByPartsOfInstancesAndOfAttributes) {
  constexpr TilePolicy policy = TypeParam::value;
  u32 done = 0;
  for (const Metric metric :
       {Metric::hamming, Metric::manhattan, Metric::squared_euclidean, Metric::euclidean})
    for (const u32 missing : {0, 100})
      for (const PartSizes& sizes :
           {PartSizes{64, 32, 128}, PartSizes{32, 64, 256}, PartSizes{128, 128, 512}}) {
        const bool real = is_real(metric);
        const auto problem = make_problem(
            real ? testing::some_reals(71, 300, missing) : instances_of(71, 300, 3, missing), metric);
        const Instances& instances = problem->instances();
        if (policy.on_floats() ? !is_for(policy, instances, metric)
                               : real || !is_for(policy, instances, metric))
          continue;
        ++done;
        testing::GivenSession session(*problem, emulated_parts<TypeParam>(instances, metric, sizes));
        const Verification verification = session.verify();
        EXPECT_TRUE(verification.passed) << tile_kernels().name(policy) << ": " << verification.reason;
      }
  EXPECT_GT(done, 0u);
}

template <class Tuned>
class RealKernel : public ::testing::Test {};
using Reals = ::testing::Types<TileTuned<threads(Product::float_root, 1, false, 4, 2, false, 8, 8)>,
                               TileTuned<threads(Product::float_root, 1, false, 2, 3, false, 2, 4, false)>,
                               TileTuned<threads(Product::float_root, 1, true, 8, 1, false, 4, 4)>>;
TYPED_TEST_SUITE(RealKernel, Reals);

TYPED_TEST(RealKernel, MakesEuclideanDistancesWithinTheBound) {
  constexpr TilePolicy policy = TypeParam::value;
  for (const auto& [count, attributes] : {std::pair{1, 1}, {2, 7}, {19, 203}, {71, 130}}) {
    const auto problem = make_problem(
        testing::some_reals(static_cast<u64>(count), static_cast<u64>(attributes), policy.present ? 100 : 0),
        Metric::euclidean);
    if (problem->instances().has_missing() != policy.present) continue;
    const Verification verification =
        testing::GivenSession(*problem, emulated_tiles<TypeParam>(problem->instances(), Metric::euclidean))
            .verify();
    EXPECT_TRUE(verification.passed) << tile_kernels().name(policy) << ": " << verification.reason;
  }
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
