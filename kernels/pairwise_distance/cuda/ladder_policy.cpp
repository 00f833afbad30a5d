#include <fmt/format.h>

#include "kernels/pairwise_distance/cuda/policy.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::pairwise_distance {
namespace {

constexpr auto kRungs = enum_words<Rung>({{Rung::naive, "naive"},
                                          {Rung::coalesced, "coalesced"},
                                          {Rung::char4, "char4"},
                                          {Rung::byte_register, "byte_register"},
                                          {Rung::shared, "shared"}});
constexpr auto kThreads = tunable<&LadderPolicy::threads>(
    {.field = "threads", .axis = "threads", .letter = "t", .meaning = "threads of a block"});
constexpr std::array kLadderFields{
    tunable<&LadderPolicy::rung>(
        {.field = "rung", .words = kRungs.words, .enumeration = "gpuseq::pairwise_distance::Rung"}),
    kThreads};

constexpr LadderVariant kLadderVariants[] = {
    {"naive", "a block a pair, integers attribute after attribute, an addition a difference (paper)",
     Rung::naive},
    {"coalesced", "the same, integers instance after instance (paper)", Rung::coalesced},
    {"char4", "the same, bytes that are loaded four at a time (paper)", Rung::char4},
    {"register", "the same, the four counted in a register (paper)", Rung::byte_register},
    {"shared", "the same, counts of threads in shared memory, one writes the sum (paper)", Rung::shared}};

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
          for (const LadderVariant& variant : kLadderVariants) policies.push_back({.rung = variant.rung});
          return policies;
        }};

}  // namespace

SearchSpace LadderVariant::space() const {
  return SearchSpace({listed_axis(std::string(kThreads.axis), axis_integers({32, 64, 128, 256, 512}), 128,
                                  std::string(kThreads.meaning)),
                      sorted_compiled_by_axis()});
}

LadderPolicy LadderVariant::choose(const Point& point, const PairShape& shape) const {
  constexpr u64 kMostBlocks = (u64{1} << 31) - 1;
  if (shape.metric != Metric::hamming)
    throw ResourceError(fmt::format(
        "{} is for the Hamming distance; register_tiled, dp4a and tensor do other metrics", name));
  if (shape.missing)
    throw ResourceError(
        fmt::format("{} has no place for missing values; register_tiled, dp4a and tensor do them", name));
  if (shape.instances != 0 && shape.instances > kMostBlocks / shape.instances)
    throw ResourceError(fmt::format(
        "{} takes a block a pair, of which a launch has {} at most: 46340 instances", name, kMostBlocks));
  LadderPolicy policy{.rung = rung};
  kThreads.assign(policy, point);
  return policy;
}

std::span<const LadderVariant> ladder_variants() {
  return kLadderVariants;
}

Instructions ladder_instructions(const LadderPolicy& policy, u64 instances, u64 attributes) {
  // Both words of a step come from global memory, through the unit that loads from shared memory and no
  // faster. Four codes in a word take an exclusive or and four tests, one of which nvcc makes otherwise for
  // sm_120.
  const u64 loaded = policy.bytes() ? (attributes + 3) / 4 : attributes;
  const double steps =
      static_cast<double>(instances) * static_cast<double>(instances) * static_cast<double>(loaded);
  Instructions instructions{.operations = {{"load_shared_32", 2 * steps}}};
  if (policy.bytes()) instructions.operations["lop3"] = 4 * steps;
  return instructions;
}

const TunedKernel<LadderPolicy>& ladder_kernels() {
  return kLadderKernels;
}

}  // namespace gpuseq::pairwise_distance
