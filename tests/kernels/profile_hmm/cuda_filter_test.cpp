#include <gtest/gtest.h>

#include "cpu_problems.hpp"
#include "kernels/profile_hmm/cuda/filter_kernel.cuh"
#include "kernels/profile_hmm/cuda/policy.hpp"
#include "kernels/profile_hmm/cuda/tables.hpp"
#include "tests/kernels/emulated_warp.hpp"

// The kernels, run on the CPU a warp at a time, against the oracle.

namespace gpuseq::profile_hmm {
namespace {

using gpuseq::testing::EmulatedWarp;

/// The result of a launch.
struct Launched {
  std::vector<i16> scores;
  std::vector<u32> again;
};

/// Runs a launch of `blocks` blocks, warp after warp.
template <class Tuned>
Launched emulated(const Profile& profile, const Sequences& sequences, u32 blocks,
                  const std::vector<u32>* selected = nullptr) {
  constexpr Policy policy = Tuned::value;
  const WordRange range = word_range(profile, sequences.longest()).value_or(WordRange{});
  const u32 words = words_of(policy, profile.length);
  const FilterTables tables = make_tables(policy, profile, words, range);
  const PackedSequences packed = pack_sequences(sequences, true);
  Launched result{.scores = std::vector<i16>(sequences.count(), kNoScore),
                  .again = std::vector<u32>(packed.entries.size() + 1)};
  // Vectors of 16-byte pieces: data loaded 16 bytes at a time are aligned to that.
  std::vector<Piece> costs(tables.costs.size() / 4 + 1), steps(tables.steps.size() / 4 + 1);
  std::vector<Piece> residues(packed.residues.size() / 16 + 1), shared(policy.shared_words(words) / 4 + 1);
  std::memcpy(costs.data(), tables.costs.data(), tables.costs.size() * 4);
  if (!tables.steps.empty()) std::memcpy(steps.data(), tables.steps.data(), tables.steps.size() * 4);
  std::memcpy(residues.data(), packed.residues.data(), packed.residues.size());
  u32 next = 0, again_count = 0,
      selected_count = selected == nullptr ? 0 : static_cast<u32>(selected->size());
  FilterArguments arguments = profile_arguments(policy, profile, range);
  arguments.costs = costs.data()->word;
  arguments.steps = steps.data()->word;
  arguments.residues = reinterpret_cast<const u8*>(residues.data());
  arguments.entries = packed.entries.data();
  arguments.selected = selected == nullptr ? nullptr : selected->data();
  arguments.selected_count = &selected_count;
  arguments.next = &next;
  arguments.again = result.again.data();
  arguments.again_count = &again_count;
  arguments.scores = result.scores.data();
  arguments.entry_count = static_cast<u32>(packed.entries.size());
  arguments.words = words;
  EmulatedWarp warp;
  for (u32 block = 0; block < blocks; ++block)
    for (u32 first = 0; first < policy.threads_per_block(); first += kWarp)
      warp.run([&](u32 lane) {
        filter<Tuned>(arguments, {.thread = first + lane, .block = block, .blocks = blocks},
                      shared.data()->word);
      });
  result.again.resize(again_count);
  return result;
}

template <Policy policy>
struct Tuned {
  static constexpr Policy value = policy;
};

template <class Tuned>
class CudaFilter : public ::testing::Test {
 protected:
  static constexpr Policy policy = Tuned::value;

  /// The kernel that scores the sequences that a policy leaves (second_policy()).
  static constexpr Policy second() {
    Policy joined = policy;
    joined.follow_j = true;
    constexpr Policy exact{.filter = Filter::viterbi,
                           .arithmetic = Arithmetic::video,
                           .row = Memory::local,
                           .costs = Memory::read_only,
                           .steps = Memory::read_only};
    return policy.filter == Filter::msv ? joined : exact;
  }

  /// Every score as the oracle's, with those that a second kernel has to make.
  void expect_oracle(const Model& model, const std::shared_ptr<Sequences>& sequences) {
    const auto problem = make_problem(model, sequences, policy.filter);
    Launched found = emulated<Tuned>(problem->profile(), *sequences, 2);
    left_again += found.again.size();
    if (!found.again.empty()) {
      const auto second_of_program =
          second_policy(policy, {.filter = policy.filter, .model_length = model.length});
      ASSERT_TRUE(second_of_program.has_value());
      ASSERT_EQ(second_of_program->arithmetic, second().arithmetic);
      ASSERT_EQ(second_of_program->follow_j, second().follow_j);
      const Launched again =
          emulated<::gpuseq::profile_hmm::Tuned<second()>>(problem->profile(), *sequences, 1, &found.again);
      for (std::size_t i = 0; i < again.scores.size(); ++i)
        if (again.scores[i] != kNoScore) found.scores[i] = again.scores[i];
    }
    const std::vector<RawScore> expected = testing::oracle_scores_of(*problem);
    for (u64 i = 0; i < sequences->count(); ++i)
      ASSERT_EQ(found.scores[i], expected[i])
          << "sequence " << i << " of " << sequences->length(i) << " residues, model of " << model.length;
  }

  std::size_t left_again = 0;
};

constexpr Policy bytes(Filter filter, Arithmetic arithmetic, u32 lanes, u32 words, Memory row, Memory costs,
                       u32 warps = 2) {
  return {.filter = filter,
          .arithmetic = arithmetic,
          .lanes = lanes,
          .row = row,
          .costs = costs,
          .steps = Memory::read_only,
          .words = words,
          .warps_per_block = warps};
}
constexpr Policy without_j(Policy policy) {
  policy.follow_j = false;
  return policy;
}
constexpr Policy viterbi(Arithmetic arithmetic, u32 lanes, u32 words, Memory row, Memory costs,
                         Memory steps) {
  return {.filter = Filter::viterbi,
          .arithmetic = arithmetic,
          .lanes = lanes,
          .row = row,
          .costs = costs,
          .steps = steps,
          .words = words,
          .warps_per_block = 2};
}

/// The paper's kernel otherwise.
constexpr Policy published(Policy policy) {
  policy.static_assignment = true;
  policy.residues = Memory::shared;
  policy.reduction = Reduction::each_row;
  policy.deletions = Deletions::lazy_f;
  policy.loads = Loads::words;
  return policy;
}
constexpr Policy skipping(Policy policy) {
  policy.reduction = Reduction::skipped;
  return policy;
}
constexpr Policy reducing(Policy policy) {
  policy.reduction = Reduction::each_row;
  return policy;
}

constexpr auto kSsv = Filter::ssv, kMsv = Filter::msv;
constexpr auto kVideo = Arithmetic::video, kWords = Arithmetic::s16x2, kHalves = Arithmetic::f16x2,
               kIntegers = Arithmetic::s32;
constexpr auto kRegisters = Memory::registers, kShared = Memory::shared, kLocal = Memory::local,
               kReadOnly = Memory::read_only;

using Policies = ::testing::Types<
    Tuned<bytes(kSsv, kVideo, 32, 1, kRegisters, kShared)>,
    Tuned<bytes(kMsv, kVideo, 32, 1, kRegisters, kReadOnly)>,
    Tuned<bytes(kSsv, kVideo, 32, 0, kLocal, kShared)>, Tuned<bytes(kMsv, kVideo, 32, 0, kShared, kShared)>,
    Tuned<bytes(kSsv, kWords, 8, 5, kRegisters, kShared)>,
    Tuned<bytes(kMsv, kWords, 8, 6, kRegisters, kShared)>,
    Tuned<bytes(kSsv, kWords, 32, 0, kShared, kReadOnly)>,
    Tuned<bytes(kMsv, kWords, 32, 0, kLocal, kReadOnly)>,
    Tuned<bytes(kSsv, kHalves, 1, 35, kRegisters, kRegisters)>,
    Tuned<bytes(kMsv, kHalves, 1, 36, kRegisters, kShared)>,
    Tuned<bytes(kSsv, kHalves, 16, 3, kRegisters, kReadOnly)>,
    Tuned<bytes(kMsv, kHalves, 4, 9, kRegisters, kShared)>,
    Tuned<bytes(kSsv, kHalves, 2, 18, kRegisters, kShared)>,
    Tuned<bytes(kMsv, kHalves, 32, 2, kRegisters, kShared)>,
    Tuned<bytes(kSsv, kHalves, 8, 7, kLocal, kShared)>, Tuned<bytes(kMsv, kHalves, 16, 0, kShared, kShared)>,
    Tuned<without_j(bytes(kMsv, kHalves, 8, 9, kRegisters, kShared))>,
    Tuned<without_j(bytes(kMsv, kWords, 32, 0, kLocal, kShared))>,
    Tuned<viterbi(kVideo, 32, 2, kRegisters, kShared, kRegisters)>,
    Tuned<viterbi(kVideo, 32, 0, kLocal, kShared, kShared)>,
    Tuned<viterbi(kWords, 32, 2, kRegisters, kShared, kRegisters)>,
    Tuned<viterbi(kWords, 32, 0, kShared, kReadOnly, kReadOnly)>,
    Tuned<viterbi(kWords, 8, 6, kRegisters, kShared, kShared)>,
    Tuned<viterbi(kWords, 1, 35, kRegisters, kShared, kReadOnly)>,
    Tuned<viterbi(kIntegers, 32, 3, kRegisters, kShared, kRegisters)>,
    Tuned<viterbi(kIntegers, 32, 0, kLocal, kReadOnly, kReadOnly)>,
    Tuned<published(bytes(kSsv, kVideo, 32, 1, kRegisters, kReadOnly))>,
    Tuned<published(bytes(kSsv, kVideo, 32, 0, kLocal, kReadOnly, 4))>,
    Tuned<published(bytes(kMsv, kVideo, 32, 1, kRegisters, kShared))>,
    Tuned<published(bytes(kMsv, kVideo, 32, 0, kShared, kReadOnly))>,
    Tuned<skipping(published(bytes(kMsv, kVideo, 32, 1, kRegisters, kReadOnly)))>,
    Tuned<reducing(bytes(kMsv, kVideo, 32, 1, kRegisters, kShared))>,
    Tuned<published(viterbi(kVideo, 32, 2, kRegisters, kReadOnly, kReadOnly))>,
    Tuned<published(viterbi(kVideo, 32, 0, kLocal, kReadOnly, kReadOnly))>,
    Tuned<skipping(published(viterbi(kVideo, 32, 0, kShared, kShared, kShared)))>,
    Tuned<reducing(viterbi(kVideo, 32, 2, kRegisters, kShared, kRegisters))>>;
TYPED_TEST_SUITE(CudaFilter, Policies);

TYPED_TEST(CudaFilter, EqualsTheOracleOnSequencesOfAllKinds) {
  constexpr Policy policy = TypeParam::value;
  // The longest model that the constant words hold, one that leaves part of a stripe, and short ones.
  const u32 most = policy.words == 0 ? 150 : policy.words * policy.lanes * policy.states();
  for (const u32 length : {most, most - 1, most - most / 4, 1u, 2u}) {
    if (policy.words != 0 && policy.words_for(length) > policy.words) continue;
    const Model model = testing::sharp_model(length, length);
    this->expect_oracle(model, testing::mixed_sequences(model, length + 1));
  }
  EXPECT_EQ(this->left_again > 0,
            second_policy(policy, {.filter = policy.filter, .model_length = most}).has_value());
}

}  // namespace
}  // namespace gpuseq::profile_hmm
