#include "kernels/profile_hmm/data/profile.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "runtime/io/hash.hpp"
#include "tests/kernels/profile_hmm/model_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

// Golden numbers: HMMER 3.3.2 as Debian's source has it, by a C program that calls p7_ProfileConfig,
// p7_oprofile_Convert and p7_oprofile_ReconfigLength and puts the stripes of P7_OPROFILE in natural order.

namespace gpuseq::profile_hmm {
namespace {

constexpr i16 kNo = kWordFloor;

Model three_states() {
  const TemporaryFolder folder;
  return read_models(folder.write("three.hmm", testing::kModelText)).at(0);
}

std::array<i32, 3> costs(const Profile& profile, char letter) {
  const u8* row = profile.costs(static_cast<u32>(kResidueLetters.find(letter)));
  return {row[0], row[1], row[2]};
}

std::array<i32, 3> scores(const Profile& profile, char letter) {
  const i16* row = profile.scores(static_cast<u32>(kResidueLetters.find(letter)));
  return {row[0], row[1], row[2]};
}

TEST(ProfileHmmProfile, HasHmmersBytesOfAModelOfThreeStates) {
  const Profile profile = make_profile(three_states());
  EXPECT_EQ(profile.length, 3u);
  EXPECT_EQ(profile.base, 190);
  EXPECT_EQ(profile.bias, 14);
  EXPECT_EQ(profile.begin_match, 8);
  EXPECT_EQ(profile.end, 3);
  using Three = std::array<i32, 3>;
  EXPECT_EQ(costs(profile, 'A'), (Three{32, 31, 30}));
  EXPECT_EQ(costs(profile, 'L'), (Three{4, 29, 28}));
  EXPECT_EQ(costs(profile, 'E'), (Three{31, 2, 27}));
  EXPECT_EQ(costs(profile, 'F'), (Three{32, 31, 0}));
  EXPECT_EQ(costs(profile, 'J'), (Three{7, 30, 29}));   // of I and L
  EXPECT_EQ(costs(profile, 'Z'), (Three{32, 12, 28}));  // of E and Q
  EXPECT_EQ(costs(profile, 'X'), (Three{26, 28, 28}));
  EXPECT_EQ(costs(profile, 'U'), costs(profile, 'C'));
  EXPECT_EQ(costs(profile, 'O'), costs(profile, 'K'));
  for (const char letter : {'-', '*', '~'}) EXPECT_EQ(costs(profile, letter), (Three{255, 255, 255}));
}

TEST(ProfileHmmProfile, HasHmmersWordsOfAModelOfThreeStates) {
  const Profile profile = make_profile(three_states());
  using Three = std::array<i32, 3>;
  EXPECT_EQ(scores(profile, 'A'), (Three{-2993, -2916, -2721}));
  EXPECT_EQ(scores(profile, 'L'), (Three{1584, -2440, -2387}));
  EXPECT_EQ(scores(profile, 'F'), (Three{-3049, -2814, 2307}));
  EXPECT_EQ(scores(profile, 'Z'), (Three{-2943, 409, -2325}));
  EXPECT_EQ(scores(profile, 'X'), (Three{-2026, -2270, -2390}));
  for (const char letter : {'-', '*', '~'}) EXPECT_EQ(scores(profile, letter), (Three{kNo, kNo, kNo}));
  using Words = std::vector<i16>;
  EXPECT_EQ(profile.steps[kBeginMatch], (Words{-1240, -1379, -1291}));
  EXPECT_EQ(profile.steps[kMatchMatch], (Words{kNo, -148, -7}));
  EXPECT_EQ(profile.steps[kInsertMatch], (Words{kNo, -620, -447}));
  EXPECT_EQ(profile.steps[kDeleteMatch], (Words{kNo, -421, -350}));
  EXPECT_EQ(profile.steps[kMatchDelete], (Words{-1251, -4144, kNo}));
  EXPECT_EQ(profile.steps[kMatchInsert], (Words{-3371, -3622, kNo}));
  EXPECT_EQ(profile.steps[kInsertInsert], (Words{-397, -557, kNo}));
  EXPECT_EQ(profile.steps[kDeleteDelete], (Words{-588, -689, kNo}));
  EXPECT_EQ(profile.word_base, 12000);
  EXPECT_EQ(profile.end_loop, -500);
  EXPECT_EQ(profile.end_move, -500);
  EXPECT_EQ(profile.delete_bound, kNo);
}

TEST(ProfileHmmProfile, IsImpossibleWhereTheModelIs) {
  Model model = three_states();
  model.match[2].fill(0);
  model.match[2][0] = 1;
  model.transitions[1][kMM] = 0;
  const Profile profile = make_profile(model);
  EXPECT_EQ(costs(profile, 'L')[1], 255);
  EXPECT_EQ(costs(profile, 'X')[1], 255);
  EXPECT_EQ(scores(profile, 'L')[1], kNo);
  EXPECT_EQ(scores(profile, 'A')[1], 1833);  // log2(1 / 0.0787945) * 500
  EXPECT_EQ(profile.steps[kMatchMatch][1], kNo);
}

/// No transition out of an insert state may cost nothing to itself, or Viterbi's recurrence would not end.
TEST(ProfileHmmProfile, InsertsCostSomething) {
  Model model = three_states();
  model.transitions[1][kII] = 1;
  EXPECT_EQ(make_profile(model).steps[kInsertInsert][0], -1);
}

struct Golden {
  std::string file;
  u32 length;
  u8 bias, begin_match, end;
  i16 delete_bound;
  std::string costs, scores, steps;  // XXH64
};

TEST(ProfileHmmProfile, HasHmmersNumbersOfModelsOfHmmerExamples) {
  const std::filesystem::path examples = "/usr/share/doc/hmmer/examples";
  if (!std::filesystem::exists(examples / "tutorial/fn3.hmm"))
    GTEST_SKIP() << "package hmmer-examples is not installed";
  const std::vector<Golden> all{
      {"testsuite/M1.hmm", 1, 10, 0, 3, kNo, "075db778a56ea8e1", "58cb1083e4cd8acf", "1a4fdf76fa3665fe"},
      {"testsuite/XYPPX.hmm", 5, 13, 12, 3, 915, "6b4f1068634d67a9", "f2dcd6d3ec5c53de", "930b5f328e58c3a8"},
      {"tutorial/fn3.hmm", 86, 18, 36, 3, 5562, "7115e687c01c53ea", "d2efcc0dea9be60e", "1379749c436fd336"},
      {"tutorial/globins4.hmm", 149, 17, 40, 3, 5907, "391dc727c5131e80", "98a52f65102f8952",
       "2e7586797e035b3e"},
      {"tutorial/Pkinase.hmm", 260, 17, 45, 3, 7089, "89131ace9d2f4feb", "81b5697acd33550f",
       "8be0283d7460f46f"},
      {"testsuite/LuxC.hmm.gz", 400, 17, 49, 3, 7593, "3294c396dc95e320", "24dd72023889af94",
       "b9ca1a8c4960bf44"},
      {"testsuite/SMC_N.hmm.gz", 1142, 14, 58, 3, 9275, "6900e95aa5908a74", "bac5c5e93cb65354",
       "717ee9660091df16"}};
  for (const Golden& golden : all) {
    const Profile profile = make_profile(read_models(examples / golden.file).at(0));
    EXPECT_EQ(profile.length, golden.length) << golden.file;
    EXPECT_EQ(profile.bias, golden.bias) << golden.file;
    EXPECT_EQ(profile.begin_match, golden.begin_match) << golden.file;
    EXPECT_EQ(profile.end, golden.end) << golden.file;
    EXPECT_EQ(profile.delete_bound, golden.delete_bound) << golden.file;
    EXPECT_EQ(Hash().update(std::span<const u8>(profile.match_costs)).hex16(), golden.costs) << golden.file;
    EXPECT_EQ(Hash().update(std::span<const i16>(profile.match_scores)).hex16(), golden.scores)
        << golden.file;
    Hash steps;
    for (const auto& step : profile.steps) steps.update(std::span<const i16>(step));
    EXPECT_EQ(steps.hex16(), golden.steps) << golden.file;
  }
}

TEST(ProfileHmmProfile, LengthModelsOfAllLengthsAreHmmers) {
  const auto expect = [](u32 residues, i32 jump, i32 move) {
    const LengthModel model = length_model(residues);
    EXPECT_EQ(model.jump, jump) << residues;
    EXPECT_EQ(model.move, move) << residues;
  };
  expect(0, 0, 0);
  expect(1, 1, -208);
  expect(10, 6, -1058);
  expect(100, 15, -2551);
  expect(1000, 25, -4193);
  expect(100'000, 45, -7512);
  std::vector<u8> jumps;
  std::vector<i16> moves;
  for (u32 residues = 0; residues <= 100'000; ++residues) {
    jumps.push_back(length_model(residues).jump);
    moves.push_back(length_model(residues).move);
  }
  EXPECT_EQ(Hash().update(std::span<const u8>(jumps)).hex16(), "4fbb2d67238cc5f6");
  EXPECT_EQ(Hash().update(std::span<const i16>(moves)).hex16(), "26a33109fc83328f");
}

}  // namespace
}  // namespace gpuseq::profile_hmm
