#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <sstream>

#include "kernels/profile_hmm/data/blast_header.hpp"
#include "kernels/profile_hmm/data/sequences.hpp"
#include "kernels/profile_hmm/oracle.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/random.hpp"
#include "tests/kernels/profile_hmm/blast_files.hpp"
#include "tests/kernels/profile_hmm/model_text.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/mutate.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::profile_hmm {
namespace {

/// How many of many mutations were read and refused; anything but a UsageError ends the test.
struct Outcomes {
  int read = 0, refused = 0;

  void count(const std::function<void()>& use) {
    try {
      use();
      ++read;
    } catch (const UsageError& usage) {
      EXPECT_FALSE(std::string_view(usage.what()).empty());
      ++refused;
    }
  }
};

/// Models that are read can be used: scored, and written and read again with the same scores.
void use_model(const Model& model, const TemporaryFolder& folder) {
  ASSERT_EQ(model.match.size(), model.length + 1);
  ASSERT_EQ(model.transitions.size(), model.length + 1);
  const Profile profile = make_profile(model);
  const std::vector<u8> residues{9, 3, 4, 0, 20, 26, 27, 9, 3, 4};
  for (const Filter filter : {Filter::ssv, Filter::msv, Filter::viterbi}) {
    const RawScore raw = oracle_score(profile, filter, residues);
    EXPECT_NE(raw, kNoScore);
  }
  bias_score(model, residues);
  std::ostringstream out;
  write_model(out, model);
  const Model again = read_models(folder.write("again.hmm", out.str())).at(0);
  EXPECT_TRUE(make_profile(again).match_costs == profile.match_costs);
}

TEST(ProfileHmmFuzz, EveryMutationOfAModelFileIsReadOrRefused) {
  const TemporaryFolder folder;
  Random random(1);
  Outcomes outcomes;
  for (int i = 0; i < 500; ++i) {
    std::string text = testing::kModelText;
    if (random.below(4) == 0) text += testing::kModelText;
    if (i % 10 != 0) gpuseq::testing::mutate(random, " \n\t#*-.0123456789eE/HMLNxX", text, 4);
    if (random.below(8) == 0) text = gzip(text);
    outcomes.count([&] {
      for (const Model& model : read_models(folder.write("models.hmm", text))) use_model(model, folder);
    });
  }
  EXPECT_GT(outcomes.read, 80);
  EXPECT_GT(outcomes.refused, 80);
}

void use_sequences(const Sequences& sequences, const TemporaryFolder& folder) {
  ASSERT_EQ(sequences.names.size(), sequences.count());
  ASSERT_EQ(sequences.begin.back(), sequences.codes.size());
  for (const u8 code : sequences.codes) ASSERT_LT(code, kResidueCodes);
  if (sequences.count() == 0) return;
  std::ostringstream out;
  write_fasta(out, sequences);
  const Sequences again = read_sequences(folder.write("again.fasta", out.str()));
  EXPECT_EQ(again.names, sequences.names);
  EXPECT_EQ(again.codes, sequences.codes);
}

TEST(ProfileHmmFuzz, EveryMutationOfAFastaFileIsReadOrRefused) {
  const TemporaryFolder folder;
  Random random(2);
  Outcomes outcomes;
  for (int i = 0; i < 500; ++i) {
    std::string text = ">a one\nACDEF\nGHIKL\n>b\n>c \x01 x\nMNPQ RSTV\tWY*~_.\n> d\nBJZOUX\n";
    if (i % 10 != 0) gpuseq::testing::mutate(random, ">\n\r \t-*~_.aX\x01", text, 4);
    outcomes.count([&] { use_sequences(read_sequences(folder.write("a.fasta", text)), folder); });
  }
  EXPECT_GT(outcomes.read, 80);
  EXPECT_GT(outcomes.refused, 80);
}

TEST(ProfileHmmFuzz, EveryMutationOfABlastVolumeIsReadOrRefused) {
  const TemporaryFolder folder;
  Random random(3);
  Outcomes outcomes;
  const std::string telling("\0\1\2\3\4\x1a\x30\x7f\x80\x81\x82\x84\xa0\xa1\xa7\xff", 16);
  for (int i = 0; i < 500; ++i) {
    testing::BlastFiles files({testing::blast_header("one GO:1"), testing::blast_header("two", "", true)},
                              {"\x01\x0c\x1b", "\x02\x03"});
    if (i % 10 != 0)
      gpuseq::testing::mutate(random, telling,
                              *std::array{&files.pin, &files.phr, &files.psq}[random.below(3)], 4);
    outcomes.count([&] { use_sequences(read_sequences(files.write(folder)), folder); });
  }
  EXPECT_GT(outcomes.read, 50);
  EXPECT_GT(outcomes.refused, 80);
}

TEST(ProfileHmmFuzz, EveryMutationOfABlastHeaderHasANameOrNone) {
  Random random(4);
  int named = 0, refused = 0;
  const std::string telling("\0\1\2\3\4\x1a\x30\x7f\x80\x81\x82\x84\xa0\xa1\xa7\xff", 16);
  for (int i = 0; i < 100'000; ++i) {
    std::string header = testing::blast_header("one GO:1", "", random.below(2) == 0);
    gpuseq::testing::mutate(random, telling, header, 4);
    const auto name = name_of_blast_header(header);
    ++(name ? named : refused);
    for (const char letter : name.value_or("")) ASSERT_TRUE(static_cast<u8>(letter) > 0x20 && letter != 0x7f);
  }
  EXPECT_GT(named, 10'000);
  EXPECT_GT(refused, 10'000);
}

}  // namespace
}  // namespace gpuseq::profile_hmm
