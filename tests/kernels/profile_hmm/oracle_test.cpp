#include "kernels/profile_hmm/oracle.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/profile_hmm/brute_force.hpp"
#include "tests/kernels/profile_hmm/small_profiles.hpp"

namespace gpuseq::profile_hmm {
namespace {

using Codes = std::vector<u8>;

/// Residues score at the position of their own number, by so many thirds of bits and 1/500 bits.
Profile diagonal_profile(u32 length, i32 bytes, i32 words) {
  Profile profile = testing::impossible_profile(length);
  profile.bias = static_cast<u8>(bytes);
  for (u32 k = 0; k < std::min(length, kResidueCodes); ++k) {
    profile.match_costs[std::size_t{k} * length + k] = 0;
    profile.match_scores[std::size_t{k} * length + k] = static_cast<i16>(words);
  }
  profile.begin_match = 20;
  profile.end = 3;
  profile.end_loop = profile.end_move = -500;
  profile.delete_bound = 32767;
  profile.steps[kBeginMatch].assign(length, -1000);
  for (u32 k = 0; k + 1 < length; ++k) {
    profile.steps[kMatchMatch][k + 1] = -10;
    profile.steps[kInsertMatch][k + 1] = -40;
    profile.steps[kDeleteMatch][k + 1] = -60;
    profile.steps[kMatchDelete][k] = -200;
    profile.steps[kMatchInsert][k] = -300;
    profile.steps[kInsertInsert][k] = -100;
    profile.steps[kDeleteDelete][k] = -20;
  }
  return profile;
}

i32 move(const Codes& codes) {
  return length_model(static_cast<u32>(codes.size())).move;
}
i32 jump(const Codes& codes) {
  return length_model(static_cast<u32>(codes.size())).jump;
}

TEST(ProfileHmmOracle, SsvIsTheBestDiagonal) {
  const Profile profile = diagonal_profile(6, 10, 500);
  EXPECT_EQ(oracle_score(profile, Filter::ssv, Codes{0}), 138);
  EXPECT_EQ(oracle_score(profile, Filter::ssv, Codes{2, 3, 4}), 158);
  EXPECT_EQ(oracle_score(profile, Filter::ssv, Codes{2, 3, 0, 1, 2, 5}), 158);
  EXPECT_EQ(oracle_score(profile, Filter::ssv, Codes{5, 4, 3, 2, 1, 0}), 138);
  EXPECT_EQ(oracle_score(profile, Filter::ssv, Codes{20, 28}), 128);
}

TEST(ProfileHmmOracle, MsvChainsDiagonalsForWhatEntryAndEndCost) {
  const Profile profile = diagonal_profile(6, 9, 500);
  const Codes one{2, 3, 4}, two{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5};
  const i32 first = 190 - 20 - jump(one) + 27 - 3;
  EXPECT_EQ(oracle_score(profile, Filter::msv, one), first);
  const i32 j = 190 - 20 - jump(two) + 54 - 3;  // above 190, so that B follows it
  ASSERT_GT(j, 190);
  EXPECT_EQ(oracle_score(profile, Filter::msv, two), j - 20 - jump(two) + 54 - 3);
}

TEST(ProfileHmmOracle, ViterbiPaysForEveryStep) {
  const Profile profile = diagonal_profile(6, 10, 2000);
  const Codes straight{1, 2, 3}, gap{0, 1, 4, 5}, insertion{0, 1, 9, 9, 2, 3};
  EXPECT_EQ(oracle_score(profile, Filter::viterbi, straight),
            12000 + move(straight) - 1000 + 3 * 2000 - 2 * 10 - 500);
  // Positions 2 and 3 deleted: M -> D -> D -> M.
  EXPECT_EQ(oracle_score(profile, Filter::viterbi, gap),
            12000 + move(gap) - 1000 + 4 * 2000 - 2 * 10 - (200 + 20 + 60) - 500);
  EXPECT_EQ(oracle_score(profile, Filter::viterbi, insertion),
            12000 + move(insertion) - 1000 + 4 * 2000 - 2 * 10 - (300 + 100 + 40) - 500);
}

TEST(ProfileHmmOracle, SequencesWithoutResiduesHaveNoScore) {
  const Profile profile = diagonal_profile(3, 10, 500);
  for (const Filter filter : {Filter::ssv, Filter::msv, Filter::viterbi})
    EXPECT_EQ(oracle_score(profile, filter, {}), kNoScore);
}

TEST(ProfileHmmOracle, WhereNothingIsPossibleScoresAreTheLeastThereAre) {
  const Profile profile = testing::impossible_profile(4);
  const Codes codes{0, 1, 20, 28};
  EXPECT_EQ(oracle_score(profile, Filter::ssv, codes), 128);
  EXPECT_EQ(oracle_score(profile, Filter::msv, codes), 0);
  EXPECT_EQ(oracle_score(profile, Filter::viterbi, codes), -32768);
}

TEST(ProfileHmmOracle, SsvAndMsvOverflowAtTheFirstCellThatReachesTheBytesEnd) {
  Profile one_state = diagonal_profile(1, 5, 500);
  one_state.match_costs.assign(kResidueCodes, 0);
  EXPECT_EQ(oracle_score(one_state, Filter::ssv, Codes(50, 3)), 133);  // diagonals of one cell
  Profile long_one = diagonal_profile(60, 5, 500);
  long_one.match_costs.assign(std::size_t{kResidueCodes} * 60, 0);
  EXPECT_EQ(oracle_score(long_one, Filter::ssv, Codes(24, 3)), 128 + 24 * 5);  // 248
  EXPECT_EQ(oracle_score(long_one, Filter::ssv, Codes(25, 3)), kOverflow);     // 253 >= 250
  const i32 begin = 190 - 20 - jump(Codes(13, 3));
  ASSERT_LT(begin + 13 * 5, 250);
  EXPECT_EQ(oracle_score(long_one, Filter::msv, Codes(13, 3)), begin + 13 * 5 - 3);
  EXPECT_EQ(oracle_score(long_one, Filter::msv, Codes(20, 3)), kOverflow);
}

TEST(ProfileHmmOracle, ViterbiOverflowsAtTheLargestWordOnly) {
  Profile profile = diagonal_profile(40, 5, 1000);
  profile.match_scores.assign(std::size_t{kResidueCodes} * 40, 1000);
  const Codes codes(40, 3);
  const i32 full = 12000 + move(codes) - 1000 + 40 * 1000 - 39 * 10;
  ASSERT_GT(full, 32767);
  EXPECT_EQ(oracle_score(profile, Filter::viterbi, codes), kOverflow);
  // So many residues that the last cell holds 32 766.
  const Codes fewer(22, 3);
  const i32 reached = 12000 + move(fewer) - 1000 + 22 * 1000 - 21 * 10;
  profile.steps[kBeginMatch].assign(40, static_cast<i16>(-1000 + 32766 - reached));
  EXPECT_EQ(oracle_score(profile, Filter::viterbi, fewer), 32766 - 500);
  profile.steps[kBeginMatch].assign(40, static_cast<i16>(-1000 + 32767 - reached));
  EXPECT_EQ(oracle_score(profile, Filter::viterbi, fewer), kOverflow);
}

TEST(ProfileHmmOracle, TheCostOfEntryIsAddedInAByte) {
  Profile profile = diagonal_profile(3, 10, 500);
  profile.begin_match = static_cast<u8>(256 - jump({0}) + 7);
  EXPECT_EQ(oracle_score(profile, Filter::msv, Codes{0}), 190 - 7 + 10 - 3);
}

/// SSV as HMMER computes a cell: signed bytes that saturate, and the unsigned maximum of their patterns.
RawScore in_signed_bytes(const Profile& profile, const Codes& codes) {
  std::vector<i32> cells(profile.length + 1, -128);
  u8 best = 128;
  for (const u8 residue : codes)
    for (u32 k = profile.length; k-- > 0;) {
      const i32 cost = std::min(127, profile.costs(residue)[k] - profile.bias);
      cells[k + 1] = std::clamp(cells[k] - cost, -128, 127);
      best = std::max(best, static_cast<u8>(cells[k + 1]));
    }
  return best >= 255 - profile.bias ? kOverflow : static_cast<RawScore>(best);
}

TEST(ProfileHmmOracle, SsvInSignedBytesIsTheSameAlsoWhereTheyWrap) {
  Random random(3);
  int overflows = 0;
  for (int repetition = 0; repetition < 3000; ++repetition) {
    Profile profile = testing::random_profile(1 + static_cast<u32>(random.below(60)), random);
    profile.bias = static_cast<u8>(random.below(127));
    for (u8& cost : profile.match_costs) cost = static_cast<u8>(random.below(2 * profile.bias + 3u));
    for (int i = 0; i < 5; ++i) profile.match_costs[random.below(profile.match_costs.size())] = 255;
    const Codes codes = testing::random_codes(random.below(80), random);
    if (codes.empty()) continue;
    const RawScore score = oracle_score(profile, Filter::ssv, codes);
    overflows += score == kOverflow;
    ASSERT_EQ(score, in_signed_bytes(profile, codes)) << repetition;
  }
  EXPECT_GT(overflows, 100);
  EXPECT_LT(overflows, 2900);
}

TEST(ProfileHmmOracle, IsTheBestOfAllAlignmentsThatThereAre) {
  Random random(1);
  int overflows = 0;
  for (int repetition = 0; repetition < 1500; ++repetition) {
    const Profile profile = testing::random_profile(1 + static_cast<u32>(random.below(4)), random);
    const Codes codes = testing::random_codes(1 + random.below(5), random);
    testing::BruteForce all(profile, codes);
    const RawScore msv = oracle_score(profile, Filter::msv, codes);
    overflows += msv == kOverflow;
    ASSERT_EQ(oracle_score(profile, Filter::ssv, codes), all.ssv()) << repetition;
    ASSERT_EQ(msv, all.msv()) << repetition;
    ASSERT_EQ(oracle_score(profile, Filter::viterbi, codes), all.viterbi()) << repetition;
  }
  EXPECT_LT(overflows, 1000);
}

/// The largest that D -> D -> M gains over B -> M.
i32 right_bound(const Profile& profile) {
  i32 bound = -32768;
  for (u32 k = 1; k + 2 < profile.length; ++k)
    bound = std::max(bound, profile.steps[kDeleteDelete][k] + profile.steps[kDeleteMatch][k + 2] -
                                profile.steps[kBeginMatch][k + 2]);
  return bound;
}

TEST(ProfileHmmOracle, SkippingDeletionsByTheRightBoundChangesNothing) {
  Random random(5);
  for (int repetition = 0; repetition < 2000; ++repetition) {
    Profile profile = testing::random_profile(1 + static_cast<u32>(random.below(12)), random);
    // Where entry is cheap, deletions matter seldom.
    for (i16& value : profile.steps[kBeginMatch])
      value = static_cast<i16>(-static_cast<i32>(random.below(repetition % 2 == 0 ? 200 : 3000)));
    const Codes codes = testing::random_codes(1 + random.below(12), random);
    const RawScore always = oracle_score(profile, Filter::viterbi, codes);
    profile.delete_bound = static_cast<i16>(right_bound(profile));
    EXPECT_FALSE(delete_bound_is_low(profile));
    ASSERT_EQ(oracle_score(profile, Filter::viterbi, codes), always) << repetition;
  }
}

TEST(ProfileHmmOracle, ABoundThatWrappedLeavesDeletionsOut) {
  Profile profile = diagonal_profile(6, 10, 2000);
  const Codes gap{0, 1, 4, 5};
  const RawScore right = oracle_score(profile, Filter::viterbi, gap);
  EXPECT_FALSE(delete_bound_is_low(profile));
  profile.delete_bound = -32768;
  EXPECT_TRUE(delete_bound_is_low(profile));
  EXPECT_LT(oracle_score(profile, Filter::viterbi, gap), right);
  profile.delete_bound = 32767;
  profile.steps[kDeleteDelete][2] = 1;
  EXPECT_TRUE(delete_bound_is_low(profile));
}

}  // namespace
}  // namespace gpuseq::profile_hmm
