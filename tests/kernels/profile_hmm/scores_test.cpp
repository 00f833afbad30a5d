#include "kernels/profile_hmm/scores.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string_view>

#include "kernels/profile_hmm/oracle.hpp"
#include "tests/kernels/profile_hmm/model_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

// Golden numbers: HMMER 3.3.2 as Debian's source has it, by a C program that calls p7_bg_NullOne,
// p7_bg_FilterScore, p7_SSVFilter, p7_MSVFilter, p7_ViterbiFilter and esl_gumbel_surv.

namespace gpuseq::profile_hmm {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Model three_states() {
  const TemporaryFolder folder;
  return read_models(folder.write("three.hmm", testing::kModelText)).at(0);
}

std::vector<u8> codes(std::string_view letters) {
  std::vector<u8> codes;
  for (const char letter : letters) codes.push_back(residue_code(letter).value());
  return codes;
}

struct Golden {
  std::string_view letters;
  float null, bias;
  bool ssv_decides;
  float msv;  // nats
  bool overflow;
  float viterbi, bits;
  double p;
};

TEST(ProfileHmmScores, AreHmmersToTheLastBit) {
  const std::vector<Golden> all{
      {"L", -0x1.62e43p+0f, -0x1.625ffep+0f, true, -0x1.d8b90cp+1f, false, -0x1.e57fbap+1f, -0x1.a9feb2p+1f,
       0x1.6905c3c5027d8p-2},
      {"LEF", -0x1.1fea64p+1f, -0x1.0464dcp-1f, false, 0x1.63d298p+0f, false, 0x1.0ec458p+0f, 0x1.5005e8p+2f,
       0x1.768757b1888p-12},
      {"LEFLEFLEFLEF", -0x1.c34256p+1f, 0x1.200ba4p+1f, false, kInfinity, true, 0x1.574fa6p+3f, kInfinity, 0},
      {"MKVLEFAAXLJBZ*EFWWK", -0x1.fc32f4p+1f, -0x1.486ac8p+1f, false, 0x1.dcdp-9f, false, -0x1.164bap-2f,
       0x1.6eec8cp+2f, 0x1.f6375a783ap-13},
      {"WWWWWWWW", -0x1.91dac6p+1f, -0x1.f8cfecp+1f, true, -0x1.0a0d58p+3f, false, -0x1.6dce6p+3f,
       -0x1.ddc98ep+2f, 0x1.ffffcbc32ab16p-1},
      {"*~_.", -0x1.4041eep+1f, -0x1.4041eep+1f, true, -0x1.d8f4a6p+2f, false, -0x1.a44224p+5f,
       -0x1.c35056p+2f, 0x1.fff6219a27526p-1},
      {"ILEFILDFLEY", -0x1.b8948p+1f, -0x1.187fep+0f, false, 0x1.dce9fp-2f, false, 0x1.436b4p-4f,
       0x1.68d05ep+2f, 0x1.0fc3ab0ab48p-12}};
  const Model model = three_states();
  const Profile profile = make_profile(model);
  for (const Golden& golden : all) {
    const auto residues = codes(golden.letters);
    const u32 length = static_cast<u32>(residues.size());
    EXPECT_EQ(null_score(length), golden.null) << golden.letters;
    EXPECT_EQ(bias_score(model, residues), golden.bias) << golden.letters;
    EXPECT_EQ(ssv_score(profile, length, oracle_score(profile, Filter::ssv, residues)).has_value(),
              golden.ssv_decides)
        << golden.letters;
    const FilterScore msv = oracle_msv_filter(profile, residues);
    EXPECT_EQ(msv.nats, golden.msv) << golden.letters;
    EXPECT_EQ(msv.overflow, golden.overflow) << golden.letters;
    const auto viterbi = viterbi_score(profile, length, oracle_score(profile, Filter::viterbi, residues));
    EXPECT_EQ(viterbi.nats, golden.viterbi) << golden.letters;
    EXPECT_FALSE(viterbi.overflow) << golden.letters;
    EXPECT_EQ(bits(msv.nats, null_score(length)), golden.bits) << golden.letters;
    EXPECT_EQ(p_value(model.msv, golden.bits), golden.p) << golden.letters;
  }
}

TEST(ProfileHmmScores, NullScoresOfShortAndLongSequencesAreHmmers) {
  EXPECT_EQ(null_score(1), -0x1.62e43p+0f);
  EXPECT_EQ(null_score(2), -0x1.e8d7c8p+0f);
  EXPECT_EQ(null_score(100), -0x1.670cc2p+2f);
  EXPECT_EQ(null_score(350), -0x1.b6ffc2p+2f);
  EXPECT_EQ(null_score(100'000), -0x1.9069fp+3f);
}

TEST(ProfileHmmScores, PValuesFromCertaintyToTheSmallestAreHmmers) {
  const Gumbel gumbel{.mu = -9.9014f, .lambda = 0.70957f};
  EXPECT_EQ(p_value(gumbel, -100), 1);
  EXPECT_EQ(p_value(gumbel, -9.5f), 0x1.0eaade5206bf2p-1);
  EXPECT_EQ(p_value(gumbel, 0), 0x1.d1bc12cbe98p-11);
  EXPECT_EQ(p_value(gumbel, 20), 0x1.4f7e79900f2fbp-31);
  EXPECT_EQ(p_value(gumbel, 300), 0x1.b05af32e4a41bp-318);
  EXPECT_EQ(p_value(gumbel, kInfinity), 0);
  EXPECT_EQ(p_value(gumbel, -kInfinity), 1);
}

/// begin_match 8, end 3, bias 14, base 190 and a jump of 15 for 100 residues: SSV's byte stands for the value
/// in J by adding 190 - 15 - 8 - 128 - 3 = 36.
TEST(ProfileHmmScores, SsvDecidesBelowTheBaseAndAboveAllBytes) {
  const Profile profile = make_profile(three_states());
  const auto nats = [&](i32 j) { return (static_cast<float>(j - 15) - 190.0f) / profile.byte_scale - 3.0f; };
  ASSERT_EQ(length_model(100).jump, 15);
  EXPECT_EQ(ssv_score(profile, 100, 128)->nats, nats(164));
  EXPECT_EQ(ssv_score(profile, 100, 154)->nats, nats(190));
  EXPECT_FALSE(ssv_score(profile, 100, 155));  // J could have been used
  EXPECT_FALSE(ssv_score(profile, 100, 201));
  for (const RawScore raw : {RawScore{202}, RawScore{240}, kOverflow}) {  // 202 + 39 = 255 - 14
    ASSERT_TRUE(ssv_score(profile, 100, raw)) << raw;
    EXPECT_TRUE(ssv_score(profile, 100, raw)->overflow);
    EXPECT_EQ(ssv_score(profile, 100, raw)->nats, kInfinity);
  }
  EXPECT_EQ(msv_score(profile, 100, 164).nats, nats(164));
}

TEST(ProfileHmmScores, SsvDoesNotDecideWhereItsNumbersDoNotReach) {
  Profile profile = make_profile(three_states());
  profile.begin_match = 48;  // 190 - 15 - 48 < 128: MSV begins lower
  EXPECT_FALSE(ssv_score(profile, 100, kOverflow));
  EXPECT_TRUE(ssv_score(profile, 100, 140));
  profile.begin_match = 94;  // 15 + 94 + 3 + 14 = 126
  EXPECT_TRUE(ssv_score(profile, 100, 140));
  profile.begin_match = 95;
  EXPECT_FALSE(ssv_score(profile, 100, 140));
}

TEST(ProfileHmmScores, SaySoWhereThereIsNoScore) {
  const Profile profile = make_profile(three_states());
  EXPECT_EQ(ssv_score(profile, 0, kNoScore)->nats, -kInfinity);
  EXPECT_EQ(msv_score(profile, 0, kNoScore).nats, -kInfinity);
  EXPECT_EQ(viterbi_score(profile, 0, kNoScore).nats, -kInfinity);
  EXPECT_EQ(viterbi_score(profile, 5, kWordFloor).nats, -kInfinity);
  EXPECT_EQ(viterbi_score(profile, 5, kOverflow).nats, kInfinity);
  EXPECT_TRUE(viterbi_score(profile, 5, kOverflow).overflow);
  EXPECT_TRUE(msv_score(profile, 5, kOverflow).overflow);
}

/// Scores that lie just on either side of the thresholds, in nats.
TEST(ProfileHmmScores, PassageFollowsHmmsearchsPipeline) {
  const Model model = three_states();
  const auto residues = codes("MKVLAAAWWKLEFGGHPPQQRRST");
  const u32 length = static_cast<u32>(residues.size());
  const float null_nats = null_score(length), bias_nats = bias_score(model, residues);
  const auto nats_at = [](const Gumbel& gumbel, double p, float null_nats) {
    float low = -100, high = 100;
    for (int i = 0; i < 60; ++i) {
      const float middle = (low + high) / 2;
      (p_value(gumbel, bits(middle, null_nats)) > p ? low : high) = middle;
    }
    return high;
  };
  const auto passes = [&](float msv, float viterbi, bool bias_filter) {
    const Passage p = passage(model, residues, {.nats = msv}, {.nats = viterbi}, bias_filter);
    return std::array<bool, 3>{p.msv, p.bias, p.viterbi};
  };
  using Passes = std::array<bool, 3>;
  const float msv = nats_at(model.msv, kF1, null_nats);
  EXPECT_EQ(passes(msv - 1e-3f, 99, true), (Passes{false, false, false}));
  EXPECT_EQ(passes(msv, -99, false), (Passes{true, true, false}));
  ASSERT_GT(bias_nats, null_nats);
  EXPECT_EQ(passes(msv, 99, true), (Passes{true, false, false}));
  const float with_bias = nats_at(model.msv, kF1, bias_nats);
  EXPECT_EQ(passes(with_bias, -99, true), (Passes{true, true, false}));
  const float viterbi = nats_at(model.viterbi, kF2, bias_nats);
  EXPECT_EQ(passes(with_bias, viterbi, true), (Passes{true, true, true}));
  EXPECT_EQ(passes(with_bias, viterbi - 1e-3f, true), (Passes{true, true, false}));
  EXPECT_EQ(passes(nats_at(model.msv, kF2, bias_nats), -99, true), (Passes{true, true, true}))
      << "what passes F2 by MSV is not scored by Viterbi";
  const Passage none = passage(model, {}, {.nats = kInfinity}, {.nats = kInfinity});
  EXPECT_FALSE(none.msv || none.bias || none.viterbi);
}

}  // namespace
}  // namespace gpuseq::profile_hmm
