#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "kernels/pairwise_distance/cuda/policy.hpp"
#include "kernels/pairwise_distance/require_codes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/unsupported.hpp"

namespace gpuseq::pairwise_distance {
namespace {

constexpr u32 kLogWarp = 5;

constexpr auto kRungs = enum_words<Rung>({{Rung::naive, "naive"},
                                          {Rung::coalesced, "coalesced"},
                                          {Rung::char4, "char4"},
                                          {Rung::byte_register, "byte_register"},
                                          {Rung::shared, "shared"}});
constexpr auto kPaths = enum_words<ReadPath>(
    {{ReadPath::global, "global"}, {ReadPath::constant, "constant"}, {ReadPath::texture, "texture"}});
constexpr auto kSums =
    enum_words<Sum>({{Sum::one_thread, "one_thread"}, {Sum::tree, "tree"}, {Sum::shuffles, "shuffles"}});
constexpr auto kThreads =
    tunable<&LadderPolicy::threads>({.axis = "threads", .letter = "t", .meaning = "threads per block"});
constexpr auto kSum =
    tunable<&LadderPolicy::sum>({.axis = "sum",
                                 .words = kSums.words,
                                 .enumeration = "gpuseq::pairwise_distance::Sum",
                                 .meaning = "sum of the counts of a block's threads: in one thread (paper), "
                                            "in a tree in shared memory, or with shuffles within warps",
                                 .names_first = false});
constexpr auto kLadderFields = every_member<LadderPolicy>(
    {tunable<&LadderPolicy::rung>({.words = kRungs.words, .enumeration = "gpuseq::pairwise_distance::Rung"}),
     kThreads,
     tunable<&LadderPolicy::path>(
         {.words = kPaths.words, .enumeration = "gpuseq::pairwise_distance::ReadPath", .names_first = false}),
     kSum});

constexpr LadderVariant kLadderVariants[] = {
    {"naive",
     "one block per pair, integers in attribute-major order, one addition per difference (paper)",
     {.rung = Rung::naive}},
    {"coalesced", "as naive, with integers in instance-major order (paper)", {.rung = Rung::coalesced}},
    {"char4", "as coalesced, with bytes that are loaded four at a time (paper)", {.rung = Rung::char4}},
    {"register", "as char4, with the four counted in a register (paper)", {.rung = Rung::byte_register}},
    {"shared", "as register, with the counts of threads in shared memory, summed in one thread (paper)", {}},
    {"constant",
     "as shared, with data of up to 64 KiB in constant memory (paper, section 7)",
     {.path = ReadPath::constant},
     true},
    {"texture",
     "as shared, with data in a texture over linear memory (paper, section 7)",
     {.path = ReadPath::texture},
     true},
    {"parallel_reduction",
     "as shared, with a tree reduction of the counts (paper, section 7)",
     {.sum = Sum::tree}},
    {"warp_shuffle", "as parallel_reduction, with a reduction by warp shuffles", {.sum = Sum::shuffles}}};

constexpr TunedKernel<LadderPolicy> kLadderKernels{
    .prefix = "pairwise_distance",
    .scope = "gpuseq::pairwise_distance",
    .policy = "LadderPolicy",
    .arguments = "LadderArguments",
    .entry = "ladder_kernel",
    .header = "kernels/pairwise_distance/cuda/ladder.cuh",
    .fields = kLadderFields,
    .threads = [](const LadderPolicy& policy) { return policy.threads; },
    .resident_blocks = [](const LadderPolicy&) { return 1u; },
    .may_spill = [](const LadderPolicy&) { return false; },
    .ahead_of_time =
        [] {
          std::vector<LadderPolicy> policies;
          for (const LadderVariant& variant : kLadderVariants) policies.push_back(variant.policy);
          return policies;
        }};

}  // namespace

SearchSpace LadderVariant::space() const {
  std::vector<Axis> axes{listed_axis(std::string(kThreads.axis), axis_integers({32, 64, 128, 256, 512}),
                                     std::int64_t{policy.threads}, std::string(kThreads.meaning))};
  if (sum_is_axis) {
    std::vector<AxisValue> words;
    for (const std::string_view word : kSum.words) words.emplace_back(std::string(word));
    const AxisValue first = words.front();
    std::ranges::sort(words);
    axes.push_back(listed_axis(std::string(kSum.axis), std::move(words), first, std::string(kSum.meaning)));
  }
  axes.push_back(sorted_compiled_by_axis());
  return SearchSpace(std::move(axes));
}

LadderPolicy LadderVariant::choose(const Point& point, const PairShape& shape) const {
  constexpr u64 kMostBlocks = (u64{1} << 31) - 1;
  require_codes(shape.metric);
  if (shape.metric != Metric::hamming)
    throw Unsupported(fmt::format(
        "{} is for the Hamming distance; register_tiled, dp4a and tensor do other metrics", name));
  if (shape.missing)
    throw Unsupported(
        fmt::format("{} has no place for missing values; register_tiled, dp4a and tensor do them", name));
  if (shape.instances != 0 && shape.instances > kMostBlocks / shape.instances)
    throw Unsupported(fmt::format(
        "{} takes a block a pair, of which a launch has {} at most: 46340 instances", name, kMostBlocks));
  const u64 row_bytes = ladder_row_bytes(shape.attributes);
  if (policy.path == ReadPath::constant && row_bytes != 0 && shape.instances > kConstantBytes / row_bytes)
    throw DoesNotFit(fmt::format("{} instances of {} bytes; constant memory holds {} bytes; use texture",
                                 shape.instances, row_bytes, kConstantBytes));
  LadderPolicy chosen = policy;
  kThreads.assign(chosen, point);
  if (sum_is_axis) kSum.assign(chosen, point);
  return chosen;
}

std::span<const LadderVariant> ladder_variants() {
  return kLadderVariants;
}

Instructions ladder_instructions(const LadderPolicy& policy, u64 instances, u64 attributes) {
  // Both words of a step are loaded from global memory or a texture, through the unit of shared memory and at
  // most at its rate; no probe measures constant memory. Four codes in a word take an exclusive or and four
  // tests, one of which nvcc compiles differently for sm_120.
  const u64 loaded = policy.bytes() ? ladder_row_bytes(attributes) / 4 : attributes;
  const double pairs = static_cast<double>(instances) * static_cast<double>(instances);
  const double steps = pairs * static_cast<double>(loaded);
  double loads = policy.path == ReadPath::constant ? 0 : 2 * steps;
  Instructions instructions;
  if (policy.bytes()) instructions.operations["lop3"] = 4 * steps;
  if (policy.sum == Sum::tree) loads += pairs * 2 * (policy.threads - 1);
  if (policy.sum == Sum::shuffles) {
    const u32 warps = policy.warps();
    u32 shuffles = kLogWarp * policy.threads;
    if (warps > 1) {
      shuffles += static_cast<u32>(std::countr_zero(warps)) * kWarp;
      loads += pairs * warps;
    }
    instructions.operations["shuffle"] = pairs * shuffles;
  }
  if (loads > 0) instructions.operations["load_shared_32"] = loads;
  return instructions;
}

const TunedKernel<LadderPolicy>& ladder_kernels() {
  return kLadderKernels;
}

}  // namespace gpuseq::pairwise_distance
