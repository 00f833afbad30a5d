#include "kernels/pairwise_distance/cuda_policy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "runtime/axes.hpp"
#include "runtime/errors.hpp"
#include "runtime/tunable.hpp"

namespace gpuseq::pairwise_distance {
namespace {

using namespace std::string_literals;

constexpr std::array kMappings{"naive",  "coalesced",      "char4", "register",
                               "shared", "register_tiled", "dp4a",  "tensor"};
/// The widest values that the products of bytes and bits are made for.
constexpr u32 kMostOneHotBits = 32, kMostOneHotBytes = 8, kMostSteps = 8, kMostSquared = 128,
              kMostSquaredMissing = 12;

/// Values with the default first.
Axis listed(std::string name, std::vector<AxisValue> values, std::string meaning) {
  const AxisValue first = values.front();
  std::sort(values.begin(), values.end());
  return listed_axis(std::move(name), std::move(values), first, std::move(meaning));
}

std::vector<Axis> tile_axes(Mapping mapping) {
  if (mapping == Mapping::tensor)
    return {listed("arithmetic", {"auto"s, "b1"s, "s8"s},
                   "what tensor cores multiply: bits (Hamming, Manhattan), or bytes; auto: bits where they "
                   "do the metric and the missing values, and up to sm_90"),
            listed("rows", axis_integers({0, 16, 32, 64}), "rows of a warp's tile; 0: by instances"),
            listed("columns", axis_integers({0, 16, 32, 64}), "its columns; 0: by instances"),
            listed("row_groups", axis_integers({0, 1, 2, 4}), "warps along a block's rows; 0: by instances"),
            listed("column_groups", axis_integers({0, 1, 2, 4}),
                   "warps along a block's columns; 0: by instances"),
            listed("pieces", axis_integers({0, 2, 4, 8}),
                   "16-byte pieces of an instance in a stage; 0: 8, or 4 of few instances or for little "
                   "shared memory"),
            listed("stages", axis_integers({0, 1, 2, 3, 4, 6}),
                   "stages in shared memory; 0: 2 to 4 by instances, or as many as it holds"),
            listed("last_plane", {"derived"s, "stored"s},
                   "of the bits of three symbols without missing values: made from the other two in "
                   "registers, or copied as they are")};
  std::vector<Axis> axes{
      listed("rows", axis_integers({0, 2, 4, 8}), "rows of a thread's tile; 0: by instances and planes"),
      listed("columns", axis_integers({0, 2, 4, 8}), "its columns; 0: by instances and planes"),
      listed("row_groups", axis_integers({0, 4, 8, 16}), "threads along a block's rows; 0: by instances"),
      listed("column_groups", axis_integers({0, 8, 16, 32}), "threads along its columns; 0: by instances")};
  if (mapping == Mapping::dp4a)
    axes.push_back(listed("pieces", axis_integers({4, 2, 8}), "16-byte pieces of an instance in a stage"));
  else
    axes.push_back(listed("pieces", axis_integers({2, 1, 4}),
                          "16-byte pieces (128 attributes) of each plane of an instance in a stage"));
  axes.push_back(listed("stages", axis_integers({2, 1, 3}), "stages in shared memory"));
  if (mapping == Mapping::register_tiled)
    axes.push_back(listed("counting", {"carry_save"s, "popcount"s},
                          "a popcount of two words with a carry, or of each word"));
  return axes;
}

constexpr std::array<Tunable<TilePolicy>, 11> kFields{{
    {"planes", "planes", &TilePolicy::planes, "p", {}, ""},
    {"missing", "present", &TilePolicy::present, "", {"", "_missing"}, ""},
    {"rows", "rows", &TilePolicy::rows, "r", {}, ""},
    {"columns", "columns", &TilePolicy::columns, "c", {}, ""},
    {"row_groups", "row_groups", &TilePolicy::row_groups, "x", {}, ""},
    {"column_groups", "column_groups", &TilePolicy::column_groups, "y", {}, ""},
    {"pieces", "pieces", &TilePolicy::pieces, "k", {}, ""},
    {"stages", "stages", &TilePolicy::stages, "s", {}, ""},
    {"pairs", "half", &TilePolicy::half, "", {"_all", ""}, ""},
    {"counting", "carry_save", &TilePolicy::carry_save, "", {"", "_carry"}, ""},
    {"last_plane", "derived", &TilePolicy::derived, "", {"", "_derived"}, ""},
}};
constexpr std::array kProducts{"differ", "steps", "bytes", "matrix_b1", "matrix_s8"};

void require(bool condition, std::string reason) {
  if (!condition) throw ResourceError(std::move(reason));
}

bool counts_steps(Metric metric) {
  return metric == Metric::manhattan || metric == Metric::ibs;
}

Product product_of(Mapping mapping, const Point& point, const PairShape& shape) {
  if (mapping == Mapping::dp4a) return Product::bytes;
  if (mapping == Mapping::register_tiled)
    return shape.metric == Metric::hamming ? Product::differ : Product::steps;
  const std::string& arithmetic = point.word("arithmetic");
  if (arithmetic != "auto") return arithmetic == "b1" ? Product::matrix_b1 : Product::matrix_s8;
  // From sm_100 on products of bits are made of other instructions.
  if (shape.capability >= 100 && shape.alphabet <= kMostOneHotBytes) return Product::matrix_s8;
  const bool bits = (shape.metric == Metric::hamming && shape.alphabet <= kMostOneHotBits) ||
                    (counts_steps(shape.metric) && !shape.missing);
  return bits ? Product::matrix_b1 : Product::matrix_s8;
}

/// Tile of a block for a number of instances: few have small ones, so that there are many; what is multiplied
/// in a stage is little then, and copies run further ahead.
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
    set(64, 64, 2, 2, 2);  // two blocks a multiprocessor: one copies while the other multiplies
}

void size_thread_tile(TilePolicy& policy, const PairShape& shape) {
  const bool few = shape.instances <= 640;
  const u32 side = few || policy.unit() > 3 ? 2 : policy.on_planes() ? 4 : 8;
  policy.rows = policy.columns = side;
  policy.row_groups = 8;
  policy.column_groups = few ? 8 : 16;
}

u32 integer_or(const Point& point, std::string_view axis, u32 automatic) {
  const auto value = static_cast<u32>(point.integer(axis));
  return value == 0 ? automatic : value;
}

}  // namespace

SearchSpace pair_space(Mapping mapping) {
  std::vector<Axis> axes;
  if (is_ladder(mapping)) {
    axes.push_back(listed("threads", axis_integers({128, 32, 64, 256, 512}), "threads of a block"));
  } else {
    axes = tile_axes(mapping);
    axes.push_back(listed("pairs", {"half"s, "all"s},
                          "one of tiles that are each other's mirror image is computed, or all"));
  }
  axes.push_back(listed("compiled_by", {"nvrtc"s, "nvcc"s}, "at run time, or ahead of time"));
  return SearchSpace(std::move(axes));
}

std::string mapping_name(Mapping mapping) {
  return kMappings[static_cast<u32>(mapping)];
}

Mapping mapping_of(std::string_view variant) {
  const auto found = std::find(kMappings.begin(), kMappings.end(), variant);
  if (found == kMappings.end())
    throw UsageError(fmt::format("pairwise_distance: no CUDA variant '{}'; there are {}", variant,
                                 fmt::join(kMappings, ", ")));
  return static_cast<Mapping>(found - kMappings.begin());
}

LadderPolicy choose_ladder_policy(Mapping mapping, const Point& point, const PairShape& shape) {
  require(shape.metric == Metric::hamming,
          fmt::format("{} is for the Hamming distance; register_tiled, dp4a and tensor do other metrics",
                      mapping_name(mapping)));
  require(!shape.missing,
          fmt::format("{} has no place for missing values; register_tiled, dp4a and tensor do them",
                      mapping_name(mapping)));
  constexpr u64 kMostBlocks = (u64{1} << 31) - 1;
  require(shape.instances == 0 || shape.instances <= kMostBlocks / shape.instances,
          fmt::format("{} takes a block a pair, of which a launch has {} at most: 46340 instances",
                      mapping_name(mapping), kMostBlocks));
  return {.rung = static_cast<Rung>(mapping), .threads = static_cast<u32>(point.integer("threads"))};
}

void check_representation(Product product, const PairShape& shape) {
  const std::string name = kProducts[static_cast<u32>(product)];
  const auto at_most = [&](u32 most, std::string_view what) {
    require(shape.alphabet <= most,
            fmt::format("{} does the {} distance{} of up to {} symbols, these are {}; {}", name,
                        kMetricNames[static_cast<u32>(shape.metric)],
                        shape.missing ? " with missing values" : "", most, shape.alphabet, what));
  };
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

TilePolicy choose_tile_policy(Mapping mapping, const Point& point, const PairShape& shape) {
  TilePolicy policy{.product = product_of(mapping, point, shape)};
  check_representation(policy.product, shape);
  require(!policy.on_tensor_cores() || shape.capability >= 80,
          fmt::format("tensor needs compute capability 8.0, this is {}.{}; use register_tiled or dp4a",
                      shape.capability / 10, shape.capability % 10));
  if (policy.on_planes()) {
    policy.present = shape.missing;
    const u32 least = shape.alphabet < 2 ? 2 : shape.alphabet;
    policy.planes = least - 1;
    if (policy.product == Product::differ) {
      policy.planes = 1;
      while ((1u << policy.planes) < least) ++policy.planes;
    }
    policy.carry_save = point.word("counting") == "carry_save";
  }
  policy.on_tensor_cores() ? size_matrix_tile(policy, shape) : size_thread_tile(policy, shape);
  policy.rows = integer_or(point, "rows", policy.rows);
  policy.columns = integer_or(point, "columns", policy.columns);
  policy.row_groups = integer_or(point, "row_groups", policy.row_groups);
  policy.column_groups = integer_or(point, "column_groups", policy.column_groups);
  if (policy.on_tensor_cores() && 2 * policy.stage_stride() > shape.shared_bytes) policy.pieces = 4;
  policy.pieces = integer_or(point, "pieces", policy.pieces) * (policy.on_planes() ? policy.unit() : 1);
  policy.stages = integer_or(point, "stages", policy.stages);
  if (policy.product == Product::matrix_b1)
    policy.derived = point.word("last_plane") == "derived" && shape.metric == Metric::hamming &&
                     shape.alphabet == 3 && !shape.missing && policy.pieces % 4 == 0;
  if (point.integer("stages") == 0)
    while (policy.stages > 1 && policy.shared_bytes() > shape.shared_bytes) --policy.stages;
  policy.half = point.word("pairs") == "half";
  require(
      !policy.on_tensor_cores() || policy.kept_words() + 24 <= 65536 / policy.threads(),
      fmt::format("{} x {} sums of a warp and what they are made of do not fit the registers of {} threads",
                  policy.rows, policy.columns, policy.threads()));
  require(policy.shared_bytes() <= shape.shared_bytes,
          fmt::format("a block needs {} bytes of shared memory, there are {}; use fewer stages or pieces",
                      policy.shared_bytes(), shape.shared_bytes));
  const u64 least_side = std::min(policy.block_rows(), policy.block_columns());
  require(shape.instances <= least_side * 65536,
          fmt::format("tiles of {} instances are for {} at most", least_side, least_side * 65536));
  return policy;
}

std::string kernel_name(const LadderPolicy& policy) {
  return fmt::format("pairwise_distance_{}_t{}", kMappings[static_cast<u32>(policy.rung)], policy.threads);
}

std::string kernel_name(const TilePolicy& policy) {
  std::string name = fmt::format("pairwise_distance_{}", kProducts[static_cast<u32>(policy.product)]);
  for (const auto& field : kFields) {
    if (!field.letter.empty()) name += '_';
    name += std::string(field.letter) + field.text(policy, true);
  }
  return name;
}

std::string kernel_text(std::span<const LadderPolicy> ladder, std::span<const TilePolicy> tiles) {
  constexpr std::array kRungs{"naive", "coalesced", "char4", "byte_register", "shared"};
  std::string text =
      "#include \"kernels/pairwise_distance/ladder.cuh\"\n"
      "#include \"kernels/pairwise_distance/tile_kernel.cuh\"\n";
  const auto add = [&](const std::string& name, std::string_view type, const std::string& fields,
                       std::string_view arguments, std::string_view body, u32 threads, u32 resident) {
    text += fmt::format(
        "\nstruct {0}_tuned {{\n"
        "  static constexpr gpuseq::pairwise_distance::{1} value{{{2}}};\n"
        "}};\n"
        "extern \"C\" __global__ void __launch_bounds__({3}, {6})\n"
        "{0}(const __grid_constant__ gpuseq::pairwise_distance::{4} arguments) {{\n"
        "  gpuseq::pairwise_distance::{5}<{0}_tuned>(arguments);\n"
        "}}\n",
        name, type, fields, threads, arguments, body, resident);
  };
  for (const LadderPolicy& policy : ladder)
    add(kernel_name(policy), "LadderPolicy",
        fmt::format(".rung = gpuseq::pairwise_distance::Rung::{}, .threads = {}",
                    kRungs[static_cast<u32>(policy.rung)], policy.threads),
        "LadderArguments", "ladder_kernel", policy.threads, 1);
  for (const TilePolicy& policy : tiles) {
    std::string fields = fmt::format(".product = gpuseq::pairwise_distance::Product::{}",
                                     kProducts[static_cast<u32>(policy.product)]);
    for (const auto& field : kFields)
      fields += fmt::format(", .{} = {}", field.field, field.text(policy, false));
    add(kernel_name(policy), "TilePolicy", fields, "TileArguments", "tile_kernel", policy.threads(),
        policy.resident_blocks());
  }
  return text;
}

std::vector<LadderPolicy> ahead_of_time_ladder() {
  std::vector<LadderPolicy> policies;
  for (u32 rung = 0; rung < 5; ++rung) policies.push_back({.rung = static_cast<Rung>(rung), .threads = 128});
  return policies;
}

std::vector<TilePolicy> ahead_of_time_tiles() {
  std::vector<TilePolicy> policies;
  for (const Mapping mapping : {Mapping::register_tiled, Mapping::dp4a, Mapping::tensor}) {
    const Point point = pair_space(mapping).complete({});
    for (const u64 instances : {100u, 1000u, 4000u, 10'000u})
      for (const bool missing : {false, true})
        for (const u32 capability : {90u, 100u}) {
          const PairShape shape{.missing = missing, .instances = instances, .capability = capability};
          const TilePolicy policy = choose_tile_policy(mapping, point, shape);
          const bool there = std::ranges::any_of(
              policies, [&](const TilePolicy& other) { return kernel_name(other) == kernel_name(policy); });
          if (!there) policies.push_back(policy);
        }
  }
  return policies;
}

void require_ahead_of_time(const std::string& name) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> of_all;
    for (const LadderPolicy& built : ahead_of_time_ladder()) of_all.push_back(kernel_name(built));
    for (const TilePolicy& built : ahead_of_time_tiles()) of_all.push_back(kernel_name(built));
    return of_all;
  }();
  require(std::find(names.begin(), names.end(), name) != names.end(),
          fmt::format("nvcc did not compile {}; use compiled_by = nvrtc", name));
}

}  // namespace gpuseq::pairwise_distance
