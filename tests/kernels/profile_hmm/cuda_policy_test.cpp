#include <gtest/gtest.h>

#include "cpu_problems.hpp"
#include "cuda_points.hpp"
#include "kernels/profile_hmm/cuda/filter_lanes.cuh"
#include "kernels/profile_hmm/cuda/session.hpp"
#include "kernels/profile_hmm/cuda/tables.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::profile_hmm {
namespace {

Policy chosen(const Point& partial, const FilterShape& shape, Mapping mapping = Mapping::lane_groups) {
  return choose_policy(filter_point(mapping, filter_space(mapping).complete(partial)), shape);
}

std::string why_not(const Point& partial, const FilterShape& shape, Mapping mapping = Mapping::lane_groups) {
  try {
    chosen(partial, shape, mapping);
  } catch (const ResourceError& error) {
    return error.what();
  }
  return "";
}

TEST(FilterPolicy, TakesMoreThreadsForLongerModelsAndKeepsRowsInRegisters) {
  u32 before = 0;
  for (const u32 length : {1u, 100u, 400u, 448u, 449u, 900u, 2405u, 5000u}) {
    const Policy policy = chosen({}, {.filter = Filter::ssv, .model_length = length});
    EXPECT_GE(policy.lanes, before);
    EXPECT_EQ(policy.row, Memory::registers);
    EXPECT_EQ(policy.arithmetic, Arithmetic::f16x2);
    EXPECT_GE(policy.words * policy.lanes * policy.states(), length);
    EXPECT_LT((policy.words - 1) * policy.lanes * policy.states(), length);
    before = policy.lanes;
  }
  EXPECT_EQ(before, kWarp);
}

TEST(FilterPolicy, LongModelsKeepRowsInLocalMemoryAndTablesInReadOnlyMemory) {
  const Policy policy = chosen({}, {.filter = Filter::msv, .model_length = 20'000});
  EXPECT_EQ(policy.row, Memory::local);
  EXPECT_EQ(policy.costs, Memory::read_only);
  const Policy viterbi = chosen({}, {.filter = Filter::viterbi, .model_length = 20'000});
  EXPECT_EQ(viterbi.steps, Memory::read_only);
}

TEST(FilterPolicy, ThePapersDesignIsAWarpWithFourBytesAWord) {
  const Policy policy = chosen({}, {.filter = Filter::msv, .model_length = 400}, Mapping::video_warp);
  EXPECT_EQ(policy.lanes, 32u);
  EXPECT_EQ(policy.states(), 4u);
  EXPECT_EQ(policy.words, 4u);  // the paper's Q: (400 - 1) / 128 + 1
  EXPECT_EQ(chosen({}, {.filter = Filter::viterbi, .model_length = 400}, Mapping::video_warp).states(), 2u);
}

TEST(FilterPolicy, WhatIsAsPublishedIsAskedForAndOtherwiseLeavesKernelsAndTheirNames) {
  const FilterShape msv{.filter = Filter::msv, .model_length = 400};
  const TunedKernel<Policy>& kernels = filter_kernels();
  EXPECT_EQ(kernels.name(chosen({}, msv, Mapping::video_warp)),
            "profile_hmm_msv_video_l32_registers_shared_read_only_q4_w8_u4");
  const Point published = testing::published_point("constant", "nvrtc");
  EXPECT_EQ(
      kernels.name(chosen(published, msv, Mapping::video_warp)),
      "profile_hmm_msv_video_l32_registers_read_only_read_only_q4_w32_u4_static_residues_shared_each_row_"
      "load_words_r32");
  const Policy viterbi =
      chosen(published, {.filter = Filter::viterbi, .model_length = 400}, Mapping::video_warp);
  EXPECT_EQ(viterbi.deletions, Deletions::lazy_f);
  EXPECT_EQ(viterbi.load_words(), 1u);
  EXPECT_EQ(viterbi.resident_blocks(), 1u);
  EXPECT_EQ(viterbi.shared_words(viterbi.words), 32u * kWarp);  // the buffers of residues alone
}

TEST(FilterPolicy, BlocksAreNoLargerThanWhatIsResident) {
  const FilterShape msv{.filter = Filter::msv, .model_length = 1200};
  EXPECT_EQ(chosen({}, msv, Mapping::video_warp).warps_per_block, 16u);
  const Policy few = chosen({{"resident_warps", 8}}, msv, Mapping::video_warp);
  EXPECT_EQ(few.warps_per_block, 8u);
  EXPECT_EQ(few.resident_blocks(), 1u);
  EXPECT_EQ(chosen({{"resident_warps", 24}}, msv, Mapping::video_warp).resident_blocks(), 3u);
  EXPECT_EQ(chosen({{"resident_warps", 64}}, msv, Mapping::video_warp).resident_blocks(), 4u);
}

TEST(FilterSpace, RefusesWhatDoesNotGoTogetherWithTheReason) {
  const SearchSpace space = filter_space(Mapping::video_warp);
  const auto why_invalid = [&](const Point& partial) {
    Point point = space.complete({});
    for (const auto& [axis, value] : partial.values()) point.set(axis, value);
    return space.why_invalid(point).value_or("");
  };
  expect_text(why_invalid({{"resident_warps", 16}, {"warps_per_block", 32}}));
  EXPECT_EQ(why_invalid({{"resident_warps", 64}, {"warps_per_block", 32}}), "");
  Point half = testing::published_point("variable", "nvcc");
  EXPECT_EQ(why_invalid(half), "");
  half.set("reduction", std::string("skipped"));
  expect_text(why_invalid(half));
  half.set("compiled_by", std::string("nvrtc"));
  EXPECT_EQ(why_invalid(half), "");
}

TEST(FilterPolicy, ViterbiTakes32BitsWhere16AreNotExact) {
  EXPECT_EQ(chosen({}, {.filter = Filter::viterbi, .model_length = 50}).arithmetic, Arithmetic::s16x2);
  const FilterShape inexact{.filter = Filter::viterbi, .model_length = 50, .words_exact = false};
  EXPECT_EQ(chosen({}, inexact).arithmetic, Arithmetic::s32);
  expect_text(why_not({{"arithmetic", std::string("s16x2")}}, inexact));
}

TEST(FilterPolicy, WhatAKernelLeavesASecondOneScores) {
  const auto second = [](const Point& point, const FilterShape& shape) {
    return second_policy(chosen(point, shape), shape);
  };
  const FilterShape msv{.filter = Filter::msv, .model_length = 400};
  EXPECT_FALSE(chosen({}, msv).follow_j);
  ASSERT_TRUE(second({}, msv).has_value());
  EXPECT_TRUE(second({}, msv)->follow_j);
  EXPECT_FALSE(second({{"follow_j", std::string("always")}}, msv).has_value());
  EXPECT_FALSE(second({}, {.filter = Filter::ssv, .model_length = 400}).has_value());
  // Those that saturate leave none, and keep their rows in registers as the first does.
  const FilterShape viterbi{.filter = Filter::viterbi, .model_length = 400};
  const auto saturating = second({}, viterbi);
  ASSERT_TRUE(saturating.has_value());
  EXPECT_EQ(saturating->arithmetic, Arithmetic::video);
  EXPECT_EQ(saturating->row, Memory::registers);
  EXPECT_EQ(saturating->words, 7u);
  EXPECT_FALSE(second_policy(*saturating, viterbi).has_value());
  EXPECT_FALSE(second({{"arithmetic", std::string("s32")}}, viterbi).has_value());
  // A kernel of nvcc is followed by another of nvcc.
  const auto ahead = second({{"stripes", std::string("variable")}}, viterbi);
  ASSERT_TRUE(ahead.has_value());
  EXPECT_TRUE(filter_kernels().is_ahead_of_time(*ahead)) << filter_kernels().name(*ahead);
  // Longer than a kernel holds that learns the length when it runs.
  EXPECT_EQ(second({}, {.filter = Filter::viterbi, .model_length = 10'000})->words, (10'000u + 63) / 64);
}

TEST(FilterInstructions, AreOfEveryWordOfEveryLaneAndResidue) {
  const Policy policy = chosen({}, {.filter = Filter::ssv, .model_length = 400}, Mapping::video_warp);
  const u32 words = words_of(policy, 400);
  double lop3 = 0;
  for (u32 residue = 0; residue < 7; ++residue)
    for (u32 lane = 0; lane < policy.lanes; ++lane)
      for (u32 word = 0; word < words; ++word) lop3 += 10;
  EXPECT_DOUBLE_EQ(instructions_of(policy, words, 7).operations.at("lop3"), lop3);
}

TEST(FilterInstructions, OfEveryRowAreItsMaximaAndTheBufferOfResidues) {
  const FilterShape viterbi{.filter = Filter::viterbi, .model_length = 400};
  const Point published = testing::published_point("constant", "nvrtc");
  const Policy lazy = chosen(published, viterbi, Mapping::video_warp);
  const auto once = instructions_per_row(lazy);
  EXPECT_DOUBLE_EQ(once.at("shuffle"), 10);  // of match states and of deletions
  EXPECT_DOUBLE_EQ(once.at("load_shared_32"), 0.25);
  EXPECT_DOUBLE_EQ(instructions_of(lazy, lazy.words, 7).operations.at("shuffle"), 10 * 7 * 32);
  EXPECT_DOUBLE_EQ(instructions_of(lazy, lazy.words, 7).operations.at("min_s16x2"),
                   (4 * lazy.words + 12) * 7 * 32);
  EXPECT_TRUE(instructions_per_row(chosen({}, viterbi, Mapping::video_warp)).empty());
}

TEST(FilterInstructions, OfAllPoliciesAreOperationsThatAreProbed) {
  for (const Mapping mapping : {Mapping::video_warp, Mapping::lane_groups})
    for (const Policy& policy : testing::covering_policies(mapping, 100)) {
      const auto counts = instructions_per_word(policy);
      EXPECT_FALSE(counts.empty()) << filter_kernels().name(policy);
      for (const auto& [operation, count] : counts) EXPECT_GT(count, 0) << operation;
      EXPECT_EQ(counts.contains("load_shared_32") || counts.contains("load_shared_128"),
                policy.costs != Memory::registers || policy.row != Memory::registers ||
                    (policy.filter == Filter::viterbi && policy.steps != Memory::registers))
          << filter_kernels().name(policy);
    }
}

TEST(FilterPolicy, RefusesWhatAFilterOrModelCannotDoWithTheReason) {
  const FilterShape ssv{.filter = Filter::ssv, .model_length = 400};
  const FilterShape viterbi{.filter = Filter::viterbi, .model_length = 400};
  expect_text(why_not({{"arithmetic", std::string("f16x2")}}, viterbi));
  expect_text(why_not({{"arithmetic", std::string("s32")}}, ssv));
  expect_text(why_not({{"costs", std::string("registers")}}, ssv));
  expect_text(why_not({{"row", std::string("registers")}, {"stripes", std::string("variable")}}, ssv));
  expect_text(why_not({{"row", std::string("registers")}, {"lanes", 1}}, ssv));
  expect_text(why_not({{"costs", std::string("shared")}}, {.filter = Filter::ssv, .model_length = 20'000}));
  expect_text(why_not(
      {{"compiled_by", std::string("nvcc")}, {"stripes", std::string("variable")}, {"lanes", 2}}, ssv));
}

TEST(FilterPolicy, NvccCompilesTheDefaultsWithVariableStripes) {
  const Point ahead{{"compiled_by", std::string("nvcc")}, {"stripes", std::string("variable")}};
  for (const Mapping mapping : {Mapping::video_warp, Mapping::lane_groups})
    for (const Filter filter : {Filter::ssv, Filter::msv, Filter::viterbi})
      for (const u32 length : {10u, 400u, 800u, 2405u})
        EXPECT_EQ(why_not(ahead, {.filter = filter, .model_length = length}, mapping), "") << length;
  const Point published = testing::published_point("variable", "nvcc");
  for (const Filter filter : {Filter::ssv, Filter::msv, Filter::viterbi})
    EXPECT_EQ(why_not(published, {.filter = filter, .model_length = 2405}, Mapping::video_warp), "");
}

TEST(FilterPolicy, NvccCompilesNothingButDefaults) {
  std::set<std::string> names;
  for (const Mapping mapping : {Mapping::video_warp, Mapping::lane_groups}) {
    std::vector<Point> points{{{"stripes", std::string("variable")}}};
    if (mapping == Mapping::video_warp) points.push_back(testing::published_point("variable", "nvrtc"));
    if (mapping == Mapping::lane_groups)  // after MSV without J
      points.push_back({{"stripes", std::string("variable")}, {"follow_j", std::string("always")}});
    for (const Point& given : points)
      for (const Filter filter : {Filter::ssv, Filter::msv, Filter::viterbi})
        for (const u32 length : {10u, 400u, 800u, 2405u})
          for (const bool exact : {false, true})
            for (const std::size_t bytes : {std::size_t{16} << 10, std::size_t{227} << 10})
              names.insert(filter_kernels().name(chosen(
                  given,
                  {.filter = filter, .model_length = length, .words_exact = exact, .shared_bytes = bytes},
                  mapping)));
  }
  for (const Policy& policy : filter_kernels().ahead_of_time())
    EXPECT_TRUE(names.contains(filter_kernels().name(policy))) << filter_kernels().name(policy);
}

TEST(FilterTables, EveryStateHasItsPlaceAndRowsOfGroupsStartInDifferentBanks) {
  for (const Mapping mapping : {Mapping::video_warp, Mapping::lane_groups})
    for (const Policy& policy : testing::covering_policies(mapping, 100)) {
      const u32 words = words_of(policy, 100);
      std::set<u32> places;
      for (u32 lane = 0; lane < policy.lanes; ++lane)
        for (u32 word = 0; word < words; ++word) {
          const u32 place = policy.cost_place(words, word, lane);
          EXPECT_LT(place, policy.row_stride(words)) << filter_kernels().name(policy);
          EXPECT_TRUE(places.insert(place).second) << filter_kernels().name(policy);
        }
      const u32 side_by_side = policy.lanes * policy.load_words();
      EXPECT_EQ(policy.row_stride(words) % policy.load_words(), 0u);
      if (side_by_side < kWarp) {
        EXPECT_EQ(policy.row_stride(words) % kWarp, side_by_side) << filter_kernels().name(policy);
      }
    }
}

TEST(WordRange, HoldsForModelsLikeHmmbuildsAndRefusesImpossibleStepsInside) {
  Model model = testing::sharp_model(120, 3);
  const auto range = word_range(make_profile(model), 100'000);
  ASSERT_TRUE(range.has_value());
  EXPECT_GE(i32{range->floor} + range->lowest_step, -32768);
  EXPECT_LT(range->safe_top, 32767);
  Model broken = model;
  broken.transitions[60][kDD] = 0;
  EXPECT_FALSE(word_range(make_profile(broken), 100).has_value());
  broken = model;
  broken.match[60][0] = 0;
  EXPECT_FALSE(word_range(make_profile(broken), 100).has_value());
  broken = model;
  broken.match[60][0] = 3e-20f;  // possible, but too far below for 16 bits
  EXPECT_FALSE(word_range(make_profile(broken), 100).has_value());
}

TEST(PackedSequences, AreLongestFirstPaddedAndWithoutEmptyOnes) {
  Sequences sequences;
  const std::vector<u8> residues(40, 3), odd{0, 27, 5};
  sequences.append("a", {});
  sequences.append("b", odd);
  sequences.append("c", residues);
  const PackedSequences packed = pack_sequences(sequences, true);
  ASSERT_EQ(packed.entries.size(), 2u);
  EXPECT_EQ(packed.entries[0].index, 2u);
  EXPECT_EQ(packed.entries[0].residues, 40u);
  EXPECT_EQ(packed.entries[0].jump, length_model(40).jump);
  EXPECT_EQ(packed.entries[1].chunk, 3u);
  EXPECT_EQ(packed.entries[1].jump, length_model(3).jump | kExact);  // '*' is for 32 bits
  EXPECT_EQ(packed.residues.size(), 64u);
  EXPECT_EQ(packed.residues[47], kPad);
  EXPECT_EQ(packed.residues[48], 0);
  EXPECT_EQ(pack_sequences(sequences, false).entries[0].index, 1u);
}

}  // namespace
}  // namespace gpuseq::profile_hmm
