#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernels/pairwise_distance/cuda/policy.hpp"
#include "kernels/pairwise_distance/require_codes.hpp"
#include "runtime/contract/unsupported.hpp"
#include "runtime/cuda/peers/group.hpp"

namespace gpuseq::pairwise_distance {
namespace {

using namespace std::string_literals;

/// The largest alphabets for products of bytes and bits.
constexpr u32 kMostOneHotBits = 32, kMostOneHotBytes = 8, kMostSteps = 8, kMostSquared = 128,
              kMostSquaredMissing = 12;
constexpr std::string_view kMemory = "memory_mib";
/// Integers up to this are exact in floating point.
constexpr u64 kMostExact = 1 << 24;

constexpr auto kProducts = enum_words<Product>({{Product::differ, "differ"},
                                                {Product::steps, "steps"},
                                                {Product::bytes, "bytes"},
                                                {Product::matrix_b1, "matrix_b1"},
                                                {Product::matrix_s8, "matrix_s8"},
                                                {Product::float_differ, "float_differ"},
                                                {Product::float_absolute, "float_absolute"},
                                                {Product::float_square, "float_square"},
                                                {Product::float_root, "float_root"}});
constexpr std::string_view kMissing[] = {"", "missing"}, kPairs[] = {"all", "half"}, kCarry[] = {"", "carry"},
                           kDerived[] = {"", "derived"};

constexpr auto kRows = tunable<&TilePolicy::rows>({.axis = "rows", .letter = "r"});
constexpr auto kColumns = tunable<&TilePolicy::columns>({.axis = "columns", .letter = "c"});
constexpr auto kRowGroups = tunable<&TilePolicy::row_groups>({.axis = "row_groups", .letter = "x"});
constexpr auto kColumnGroups = tunable<&TilePolicy::column_groups>({.axis = "column_groups", .letter = "y"});
constexpr auto kPieces = tunable<&TilePolicy::pieces>({.axis = "pieces", .letter = "k"});
constexpr auto kStages = tunable<&TilePolicy::stages>({.axis = "stages", .letter = "s"});
constexpr auto kHalf = tunable<&TilePolicy::half>({.axis = "pairs", .words = kPairs});

constexpr auto kTileFields = every_member<TilePolicy>(
    {tunable<&TilePolicy::product>(
         {.words = kProducts.words, .enumeration = "gpuseq::pairwise_distance::Product"}),
     tunable<&TilePolicy::planes>({.letter = "p"}), tunable<&TilePolicy::present>({.words = kMissing}), kRows,
     kColumns, kRowGroups, kColumnGroups, kPieces, kStages, kHalf,
     tunable<&TilePolicy::carry_save>({.words = kCarry}),
     tunable<&TilePolicy::derived>({.words = kDerived})});

/// Values in the given order; the first is the default.
Axis listed(std::string_view name, std::vector<AxisValue> values, std::string meaning) {
  const AxisValue first = values.front();
  std::sort(values.begin(), values.end());
  return listed_axis(std::string(name), std::move(values), first, std::move(meaning));
}

std::vector<Axis> thread_axes(std::initializer_list<Axis> more) {
  std::vector<Axis> axes{
      listed(kRows.axis, axis_integers({0, 2, 4, 8}),
             "rows of a thread's tile; 0: chosen by the numbers of instances and planes"),
      listed(kColumns.axis, axis_integers({0, 2, 4, 8}),
             "columns of a thread's tile; 0: chosen by the numbers of instances and planes"),
      listed(kRowGroups.axis, axis_integers({0, 4, 8, 16}),
             "threads along the rows of a block; 0: chosen by the number of instances"),
      listed(kColumnGroups.axis, axis_integers({0, 8, 16, 32}),
             "threads along the columns of a block; 0: chosen by the number of instances")};
  axes.insert(axes.end(), more);
  return axes;
}

Axis thread_stages() {
  return listed(kStages.axis, axis_integers({2, 1, 3}), "pipeline stages in shared memory");
}

std::vector<Axis> plane_axes() {
  return thread_axes({listed(kPieces.axis, axis_integers({2, 1, 4}),
                             "16-byte pieces (128 attributes) of each bit plane of an instance per stage"),
                      thread_stages(),
                      listed("counting", {"carry_save"s, "popcount"s},
                             "population counts; carry_save: one per two words, after a carry-save addition; "
                             "popcount: one per word")});
}

std::vector<Axis> byte_axes() {
  return thread_axes(
      {listed(kPieces.axis, axis_integers({4, 2, 8}), "16-byte pieces of an instance per stage"),
       thread_stages()});
}

std::vector<Axis> float_axes() {
  return thread_axes({listed(kPieces.axis, axis_integers({4, 2, 8}),
                             "16-byte pieces (4 attributes) of an instance per stage"),
                      thread_stages()});
}

std::vector<Axis> warp_axes() {
  return {
      listed("arithmetic", {"auto"s, "b1"s, "s8"s},
             "operands of the tensor cores: bits (Hamming, Manhattan) or bytes; auto: bits where the metric "
             "and the missing values allow them, up to sm_90"),
      listed(kRows.axis, axis_integers({0, 16, 32, 64}),
             "rows of a warp's tile; 0: chosen by the number of instances"),
      listed(kColumns.axis, axis_integers({0, 16, 32, 64}),
             "columns of a warp's tile; 0: chosen by the number of instances"),
      listed(kRowGroups.axis, axis_integers({0, 1, 2, 4}),
             "warps along the rows of a block; 0: chosen by the number of instances"),
      listed(kColumnGroups.axis, axis_integers({0, 1, 2, 4}),
             "warps along the columns of a block; 0: chosen by the number of instances"),
      listed(kPieces.axis, axis_integers({0, 2, 4, 8}),
             "16-byte pieces of an instance per stage; 0: 8, or 4 for few instances or little shared memory"),
      listed(kStages.axis, axis_integers({0, 1, 2, 3, 4, 6}),
             "pipeline stages in shared memory; 0: 2 to 4 by the number of instances, or as many as fit"),
      listed("last_plane", {"derived"s, "stored"s},
             "third bit plane of three symbols without missing values; derived: from the other two in "
             "registers; stored: copied like the others")};
}

void require(bool condition, const std::string& reason) {
  if (!condition) throw Unsupported(reason);
}

bool counts_steps(Metric metric) {
  return metric == Metric::manhattan || metric == Metric::ibs;
}

Product plane_product(const Point&, const PairShape& shape) {
  return shape.metric == Metric::hamming ? Product::differ : Product::steps;
}

Product byte_product(const Point&, const PairShape&) {
  return Product::bytes;
}

Product float_product(const Point&, const PairShape& shape) {
  switch (shape.metric) {
    case Metric::hamming:
      return Product::float_differ;
    case Metric::squared_euclidean:
      return Product::float_square;
    case Metric::euclidean:
      return Product::float_root;
    default:
      return Product::float_absolute;
  }
}

Product matrix_product(const Point& point, const PairShape& shape) {
  const std::string& arithmetic = point.word("arithmetic");
  if (arithmetic != "auto") return arithmetic == "b1" ? Product::matrix_b1 : Product::matrix_s8;
  // From sm_100 on products of bits are emulated by other instructions.
  if (shape.capability >= 100 && shape.alphabet <= kMostOneHotBytes) return Product::matrix_s8;
  const bool bits = (shape.metric == Metric::hamming && shape.alphabet <= kMostOneHotBits) ||
                    (counts_steps(shape.metric) && !shape.missing);
  return bits ? Product::matrix_b1 : Product::matrix_s8;
}

constexpr TileVariant kTileVariants[] = {
    {"register_tiled", "bit planes in shared memory, a tile of pairs per thread, population counts",
     &plane_axes, &plane_product},
    {"dp4a", "bytes in shared memory, a tile of pairs per thread, dot products of four bytes", &byte_axes,
     &byte_product},
    {"float_tiled", "floating-point numbers in shared memory, a tile of pairs per thread, for real values",
     &float_axes, &float_product, true},
    {"tensor", "bits or bytes in shared memory, matrix products on tensor cores", &warp_axes,
     &matrix_product},
    {"tensor_gpus", "tensor on several GPUs, each with all instances and as many of the tiles", &warp_axes,
     &matrix_product, false, true}};

/// Tile sizes of a block by the number of instances: few instances have small tiles, so that there are many.
/// Then the work per stage is small, and copies run further ahead.
void size_matrix_tile(TilePolicy& policy, const PairShape& shape) {
  const auto set = [&](u32 rows, u32 columns, u32 row_groups, u32 column_groups, u32 stages) {
    policy.rows = rows, policy.columns = columns;
    policy.row_groups = row_groups, policy.column_groups = column_groups;
    policy.stages = stages;
  };
  policy.pieces = shape.instances <= 640 ? 4 : 8;
  if (shape.instances <= 640)
    set(16, 16, 1, 1, 3);
  else if (shape.instances <= 2048)
    set(32, 32, 2, 2, 4);
  else
    set(64, 64, 2, 2, 2);  // two blocks per multiprocessor: one copies while the other multiplies
}

void size_thread_tile(TilePolicy& policy, const PairShape& shape) {
  const bool few = shape.instances <= 640;
  const bool many_words = policy.on_planes() || policy.present;
  const u32 side = few || policy.unit() > 3 ? 2 : many_words ? 4 : 8;
  policy.rows = policy.columns = side;
  policy.row_groups = 8;
  policy.column_groups = few ? 8 : 16;
}

void set_planes(TilePolicy& policy, const Point& point, const PairShape& shape) {
  policy.present = shape.missing;
  const u32 least = shape.alphabet < 2 ? 2 : shape.alphabet;
  policy.planes = least - 1;
  if (policy.product == Product::differ) {
    policy.planes = 1;
    while ((1u << policy.planes) < least) ++policy.planes;
  }
  policy.carry_save = point.word("counting") == "carry_save";
}

void check_size(const TilePolicy& policy, const PairShape& shape) {
  require(!policy.on_tensor_cores() || policy.kept_words() + 24 <= 65536 / policy.threads(),
          fmt::format("{} x {} sums of a warp and their operands do not fit the registers of {} threads",
                      policy.rows, policy.columns, policy.threads()));
  require(policy.shared_bytes() <= shape.shared_bytes,
          fmt::format("a block needs {} bytes of shared memory, there are {}; use fewer stages or pieces",
                      policy.shared_bytes(), shape.shared_bytes));
  const u64 least_side = std::min(policy.block_rows(), policy.block_columns());
  require(shape.instances <= least_side * 65536,
          fmt::format("tiles of {} instances are for {} at most", least_side, least_side * 65536));
}

/// The defaults for ternary data and for real values, without missing values.
std::vector<TilePolicy> usual_policies() {
  std::vector<TilePolicy> policies;
  std::set<std::string> names;
  for (const TileVariant& variant : kTileVariants) {
    const Point point = variant.space().complete({});
    for (const u64 instances : {100u, 1000u, 4000u, 10'000u})
      for (const u32 capability : {90u, 100u})
        for (const Metric metric : {Metric::hamming, Metric::euclidean}) {
          if (is_real(metric) && variant.product != &float_product) continue;
          const TilePolicy policy =
              variant.choose(point, {.metric = metric, .instances = instances, .capability = capability});
          if (names.insert(tile_kernels().name(policy)).second) policies.push_back(policy);
        }
  }
  return policies;
}

constexpr TunedKernel<TilePolicy> kTileKernels{
    .prefix = "pairwise_distance",
    .scope = "gpuseq::pairwise_distance",
    .policy = "TilePolicy",
    .arguments = "TileArguments",
    .entry = "tile_kernel",
    .header = "kernels/pairwise_distance/cuda/tile_kernel.cuh",
    .fields = kTileFields,
    .threads = [](const TilePolicy& policy) { return policy.threads(); },
    .resident_blocks = [](const TilePolicy& policy) { return policy.resident_blocks(); },
    .may_spill =
        [](const TilePolicy& policy) {
          const u32 registers = std::min(policy.registers(), 65536 / policy.threads());
          // Products of bits are emulated from sm_100 on, which needs more registers.
          const bool emulated = policy.product == Product::matrix_b1 && policy.kept_words() > 128;
          return emulated || (!policy.on_tensor_cores() && policy.kept_words() + 40 > registers);
        },
    .least_architecture = [](const TilePolicy& policy) { return policy.on_tensor_cores() ? 80 : 75; },
    .ahead_of_time = &usual_policies};

}  // namespace

SearchSpace TileVariant::space() const {
  std::vector<Axis> axes = this->axes();
  axes.push_back(listed(kHalf.axis, {"half"s, "all"s},
                        "half: one of two tiles that mirror each other is computed; all: all tiles"));
  if (memory_is_axis)
    axes.push_back(integer_axis(std::string(kMemory), {0, 64}, 0,
                                "MiB of device memory for parts that are copied while others are computed; "
                                "0: all instances and distances are on the device at once",
                                0, std::int64_t{1} << 24));
  axes.push_back(sorted_compiled_by_axis());
  if (on_gpus) axes.push_back(cuda::gpus_axis());
  return SearchSpace(std::move(axes));
}

u64 TileVariant::memory_bytes(const Point& point) const {
  return memory_is_axis ? static_cast<u64>(point.integer(kMemory)) << 20 : 0;
}

void check_representation(Product product, const PairShape& shape) {
  const std::string_view name = kProducts[product];
  const auto at_most = [&](u32 most, std::string_view what) {
    require(shape.alphabet <= most,
            fmt::format("{} does the {} distance{} of up to {} symbols, these are {}; {}", name,
                        kMetricNames[static_cast<u32>(shape.metric)],
                        shape.missing ? " with missing values" : "", most, shape.alphabet, what));
  };
  if (product >= Product::float_differ) {
    if (is_real(shape.metric)) return;
    const u64 largest = std::max(1u, largest_value_distance(shape.metric, shape.alphabet));
    require(
        shape.attributes <= kMostExact / largest,
        fmt::format("distances of {} symbols by {} attributes may pass {}, to which floating point numbers "
                    "are exact; use another variant",
                    shape.alphabet, shape.attributes, kMostExact));
    return;
  }
  require_codes(shape.metric);
  if (shape.metric == Metric::squared_euclidean) {
    require(product == Product::bytes || product == Product::matrix_s8,
            fmt::format("{} does not do squares; use dp4a, or tensor with arithmetic = s8", name));
    at_most(shape.missing ? kMostSquaredMissing : kMostSquared, "use a CPU variant");
  } else if (counts_steps(shape.metric)) {
    require(product != Product::matrix_b1 || !shape.missing,
            "b1 does not do Manhattan distances with missing values; use arithmetic = s8");
    at_most(kMostSteps + 1, "use a CPU variant");
  } else if (product != Product::differ) {
    at_most(product == Product::matrix_b1 ? kMostOneHotBits : kMostOneHotBytes, "use register_tiled");
  }
}

TilePolicy TileVariant::choose(const Point& point, const PairShape& shape) const {
  TilePolicy policy{.product = product(point, shape)};
  check_representation(policy.product, shape);
  require(!policy.on_tensor_cores() || shape.capability >= 80,
          fmt::format("tensor needs compute capability 8.0, this is {}.{}; use register_tiled or dp4a",
                      shape.capability / 10, shape.capability % 10));
  if (policy.on_planes()) set_planes(policy, point, shape);
  if (policy.on_floats()) policy.present = shape.missing;
  policy.on_tensor_cores() ? size_matrix_tile(policy, shape) : size_thread_tile(policy, shape);
  const auto take = [&](const Tunable<TilePolicy>& field) {
    if (point.integer(field.axis) != 0) field.assign(policy, point);
  };
  for (const auto& field : {kRows, kColumns, kRowGroups, kColumnGroups}) take(field);
  if (policy.on_tensor_cores() && u64{2} * policy.stage_stride() > shape.shared_bytes) policy.pieces = 4;
  take(kPieces);
  if (policy.on_planes()) policy.pieces *= policy.unit();
  take(kStages);
  kHalf.assign(policy, point);
  if (memory_bytes(point) > 0) policy.half = false;  // a part's mirror image is another part
  if (policy.product == Product::matrix_b1)
    policy.derived = point.word("last_plane") == "derived" && shape.metric == Metric::hamming &&
                     shape.alphabet == 3 && !shape.missing && policy.pieces % 4 == 0;
  if (point.integer(kStages.axis) == 0)
    while (policy.stages > 1 && policy.shared_bytes() > shape.shared_bytes) --policy.stages;
  check_size(policy, shape);
  return policy;
}

std::span<const TileVariant> tile_variants() {
  return kTileVariants;
}

const TunedKernel<TilePolicy>& tile_kernels() {
  return kTileKernels;
}

std::string ahead_of_time_text() {
  return ladder_kernels().ahead_of_time_text() + tile_kernels().ahead_of_time_text();
}

}  // namespace gpuseq::pairwise_distance
