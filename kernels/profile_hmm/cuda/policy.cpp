#include "kernels/profile_hmm/cuda/policy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/profile_hmm/cuda/policy_tunables.hpp"
#include "runtime/contract/unsupported.hpp"

namespace gpuseq::profile_hmm {
namespace {

// Most words per lane with rows in registers: 3 cells per word for Viterbi, 11 with the steps.
constexpr u32 kMostRowWords = 96, kMostViterbiWords = 48, kMostStepWords = 16;

/// Most words per thread for which more sequences per warp are faster: the steps of Viterbi are
/// then in registers.
constexpr u32 kMostNarrowWords = 40, kMostNarrowViterbiWords = 13;

u32 lanes_for(const Policy& policy, u32 model_length, bool row_in_registers) {
  const bool viterbi = policy.filter == Filter::viterbi;
  if (!row_in_registers || (viterbi && policy.arithmetic != Arithmetic::s16x2)) return kWarp;
  for (u32 lanes = 8; lanes < kWarp; lanes *= 2) {
    Policy narrow = policy;
    narrow.lanes = lanes;
    if (narrow.words_for(model_length) <= (viterbi ? kMostNarrowViterbiWords : kMostNarrowWords))
      return lanes;
  }
  return kWarp;
}

/// Chooses the memory of the parts that are `auto`; earlier parts get shared memory first.
void place(Policy& policy, const Point& point, const FilterShape& shape, bool constant) {
  const u32 words = policy.words_for(shape.model_length);
  const bool viterbi = policy.filter == Filter::viterbi;
  const u32 most = viterbi ? kMostViterbiWords : kMostRowWords;
  policy.row = constant && words <= most ? Memory::registers : Memory::local;
  kRow.assign(policy, point);
  policy.words = constant ? words : 0;
  const auto bytes = [&] { return std::size_t{policy.shared_words(words)} * sizeof(u32); };
  policy.costs = Memory::shared;
  policy.steps = Memory::read_only;
  if (!kCosts.assign(policy, point) && bytes() > shape.shared_bytes) policy.costs = Memory::read_only;
  if (!viterbi || kStepsIn.assign(policy, point)) return;
  policy.steps =
      policy.row == Memory::registers && words <= kMostStepWords ? Memory::registers : Memory::shared;
  if (bytes() > shape.shared_bytes) policy.steps = Memory::read_only;
}

/// Registers per thread with a row of Viterbi: three cells per word, its steps, a score loaded in advance,
/// and the kernel's other values.
u32 viterbi_registers(const Policy& policy, u32 words) {
  return words *
             (3 + (policy.steps == Memory::registers ? u32{kSteps} : 0) + (policy.load_words() > 1 ? 1 : 0)) +
         56;
}

/// Warps per block: more to share a large table, as far as registers allow: 16 warps leave 128 per thread.
u32 warps_for(const Policy& policy, u32 words) {
  const std::size_t table =
      std::size_t{policy.shared_cost_words(words) + policy.shared_step_words(words)} * sizeof(u32);
  if (policy.row == Memory::shared) return 8;
  if (policy.row == Memory::registers &&
      (policy.filter == Filter::viterbi ? viterbi_registers(policy, words) > 128 : words > 64))
    return 8;
  return table > (24 << 10) ? 16 : 8;
}

/// Residues per loop iteration: fewer for long rows of Viterbi.
u32 unroll_for(const Policy& policy) {
  if (policy.filter != Filter::viterbi || policy.words <= 12) return 4;
  return policy.words <= 16 ? 2 : 1;
}

/// Sets all but the arithmetic and the threads per sequence.
/// @param constant  whether the kernel knows the model's length
void complete(Policy& policy, const Point& point, const FilterShape& shape, bool constant) {
  place(policy, point, shape, constant);
  policy.warps_per_block = static_cast<u32>(point.integer("warps_per_block"));
  if (policy.warps_per_block == 0)
    policy.warps_per_block = warps_for(policy, policy.words_for(shape.model_length));
  // Resident warps are in whole blocks.
  while (policy.resident_warps % policy.warps_per_block != 0) policy.warps_per_block /= 2;
  policy.unroll = static_cast<u32>(point.integer("unroll"));
  if (policy.unroll == 0) policy.unroll = unroll_for(policy);
}

void require(bool condition, const std::string& reason) {
  if (!condition) throw Unsupported(reason);
}

void check(const Policy& policy, const FilterShape& shape) {
  const bool viterbi = policy.filter == Filter::viterbi;
  const u32 words = policy.words_for(shape.model_length);
  require(policy.arithmetic != Arithmetic::f16x2 || !viterbi,
          "halves do not hold Viterbi's scores; use arithmetic = s16x2 or s32");
  require(policy.arithmetic != Arithmetic::s32 || viterbi,
          "s32 is for Viterbi; use arithmetic = s16x2 or f16x2");
  require(policy.arithmetic != Arithmetic::s16x2 || !viterbi || shape.words_exact,
          "this model's scores may leave the range in which 16-bit sums are exact; use arithmetic = s32");
  require(!viterbi || policy.lanes == kWarp || policy.arithmetic == Arithmetic::s16x2,
          "Viterbi in 32 bits takes a warp per sequence; use lanes = 32");
  require(policy.row != Memory::registers || policy.words_are_constant(),
          "registers cannot be indexed: row = registers needs stripes = constant");
  require(policy.row != Memory::registers || words * policy.cells_per_state() <= 2 * kMostRowWords,
          fmt::format("{} words per thread do not fit its registers; use more lanes, or row = local", words));
  require(policy.costs != Memory::registers ||
              (policy.lanes == 1 && policy.row == Memory::registers && words <= kMostRowWords),
          "costs = registers needs lanes = 1 and a model that fits a thread's registers");
  require(policy.steps != Memory::registers ||
              (policy.row == Memory::registers && words <= kMostStepWords + kMostStepWords / 2),
          "steps = registers needs row = registers and a model that fits the registers");
  require(policy.words_are_constant() || words <= kMostLocalWords || policy.row == Memory::shared,
          fmt::format("stripes = variable holds {} words per thread, this model takes {}", kMostLocalWords,
                      words));
  const std::size_t bytes = std::size_t{policy.shared_words(words)} * sizeof(u32);
  require(bytes <= shape.shared_bytes,
          fmt::format("a block needs {} bytes of shared memory, there are {}", bytes, shape.shared_bytes));
}

}  // namespace

Policy choose_policy(const FilterPoint& at, const FilterShape& shape) {
  const Point& point = at.point;
  Policy policy{.filter = shape.filter, .arithmetic = Arithmetic::video};
  if (at.mapping == Mapping::lane_groups) {
    policy.arithmetic = shape.filter != Filter::viterbi ? Arithmetic::f16x2
                        : shape.words_exact             ? Arithmetic::s16x2
                                                        : Arithmetic::s32;
    kArithmetic.assign(policy, point);
    policy.lanes = static_cast<u32>(point.integer("lanes"));
    if (policy.lanes == 0)
      policy.lanes =
          lanes_for(policy, shape.model_length,
                    at.constant_words && (point.word("row") == "auto" || point.word("row") == "registers"));
  }
  if (at.mapping == Mapping::video_warp) take_parts(policy, point);
  policy.follow_j =
      policy.filter != Filter::msv || at.mapping == Mapping::video_warp || point.word("follow_j") == "always";
  complete(policy, point, shape, at.constant_words);
  check(policy, shape);
  require(!at.ahead_of_time || filter_kernels().is_ahead_of_time(policy),
          fmt::format("nvcc did not compile {}; use compiled_by = nvrtc", filter_kernels().name(policy)));
  return policy;
}

u32 words_of(const Policy& policy, u32 model_length) {
  return policy.words_are_constant() ? policy.words : policy.words_for(model_length);
}

std::optional<Policy> second_policy(const Policy& first, const FilterShape& shape) {
  if (first.filter == Filter::msv && !first.follow_j) {
    Policy joined = first;
    joined.follow_j = true;
    return joined;
  }
  if (first.filter != Filter::viterbi || first.arithmetic != Arithmetic::s16x2) return std::nullopt;
  Policy saturating{.filter = Filter::viterbi, .arithmetic = Arithmetic::video};
  complete(saturating, filter_space(Mapping::lane_groups).complete({}), shape, first.words_are_constant());
  return saturating;
}

}  // namespace gpuseq::profile_hmm
