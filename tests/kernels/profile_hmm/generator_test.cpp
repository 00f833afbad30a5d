#include "kernels/profile_hmm/data/generator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "kernels/profile_hmm/data/calibration.hpp"
#include "kernels/profile_hmm/data/null_model.hpp"
#include "kernels/profile_hmm/oracle.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::profile_hmm {
namespace {

Model written_and_read(const Model& model) {
  std::ostringstream out;
  write_model(out, model);
  const TemporaryFolder folder;
  return read_models(folder.write("model.hmm", out.str())).at(0);
}

/// The P value of hmmsearch's first filter.
double msv_p_value(const Model& model, const Profile& profile, std::span<const u8> residues) {
  const float nats = oracle_msv_filter(profile, residues).nats;
  return p_value(model.msv, bits(nats, null_score(static_cast<u32>(residues.size()))));
}

double viterbi_p_value(const Model& model, const Profile& profile, std::span<const u8> residues) {
  const u32 length = static_cast<u32>(residues.size());
  const auto score = viterbi_score(profile, length, oracle_score(profile, Filter::viterbi, residues));
  return p_value(model.viterbi, bits(score.nats, null_score(length)));
}

TEST(ProfileHmmGenerator, ModelsOfAllLengthsSurviveBeingWritten) {
  for (const u32 length : {1u, 2u, 3u, 17u, 100u, 2405u}) {
    const Model model = random_model(length, 3), again = written_and_read(model);
    EXPECT_EQ(model.length, length);
    EXPECT_EQ(again.name, model.name);
    EXPECT_TRUE(again.match == model.match) << length;
    EXPECT_TRUE(again.transitions == model.transitions) << length;
    EXPECT_TRUE(again.composition == model.composition) << length;
    EXPECT_EQ(again.msv.mu, model.msv.mu);
    EXPECT_EQ(again.msv.lambda, model.msv.lambda);
    EXPECT_EQ(again.viterbi.mu, model.viterbi.mu);
    EXPECT_EQ(again.viterbi.lambda, model.viterbi.lambda);
    EXPECT_EQ(again.forward.mu, model.forward.mu);
    const Profile before = make_profile(model), after = make_profile(again);
    EXPECT_TRUE(before.match_costs == after.match_costs && before.match_scores == after.match_scores &&
                before.steps == after.steps)
        << length;
  }
}

TEST(ProfileHmmGenerator, ModelsAreTheirSeeds) {
  EXPECT_TRUE(random_model(50, 7).match == random_model(50, 7).match);
  EXPECT_FALSE(random_model(50, 7).match == random_model(50, 8).match);
  EXPECT_EQ(random_model(50, 7).msv.mu, random_model(50, 7).msv.mu);
  EXPECT_THROW(random_model(0, 7), UsageError);
}

TEST(ProfileHmmGenerator, ProbabilitiesSumToOne) {
  const Model model = random_model(300, 1);
  for (u32 node = 0; node <= model.length; ++node) {
    const auto& to = model.transitions[node];
    EXPECT_NEAR(to[kMM] + to[kMI] + to[kMD], 1, 1e-4);
    EXPECT_NEAR(to[kIM] + to[kII], 1, 1e-4);
    EXPECT_NEAR(to[kDM] + to[kDD], 1, 1e-4);
    double sum = 0;
    for (const float p : model.match[node]) sum += p;
    EXPECT_NEAR(sum, node == 0 ? 0 : 1, 1e-3);
  }
  EXPECT_EQ(model.transitions[0][kDD], 0);
  EXPECT_EQ(model.transitions[300][kMD], 0);
  EXPECT_EQ(model.transitions[300][kDD], 0);
}

/// hmmbuild's models have 0.59 bits a match state, most of them less and some four bits; few delete or
/// insert.
TEST(ProfileHmmGenerator, ModelsAreConservedAsHmmbuildsAre) {
  for (const u32 length : {150u, 400u, 1000u}) {
    const Model model = random_model(length, 5);
    EXPECT_NEAR(mean_relative_entropy(model), 0.59, 0.01) << length;
    u32 certain = 0, opening = 0;
    for (u32 node = 1; node <= length; ++node) {
      certain += *std::max_element(model.match[node].begin(), model.match[node].end()) > 0.8f;
      opening += model.transitions[node][kMM] < 0.95f;
    }
    EXPECT_GT(certain, length / 100) << length;
    EXPECT_LT(certain, length / 5) << length;
    EXPECT_GT(opening, length / 50) << length;
    EXPECT_LT(opening, length / 5) << length;
  }
  EXPECT_GT(mean_relative_entropy(random_model(30, 5)), 1);  // short ones are sharper
}

TEST(ProfileHmmGenerator, RandomSequencesPassAsOftenAsTheirPValueSays) {
  const Model model = random_model(120, 2);
  const Profile profile = make_profile(model);
  const Sequences sequences = random_sequences(model, {.count = 3000, .homologs = 0, .longest = 1000}, 11);
  double msv = 0, viterbi = 0;
  for (u64 i = 0; i < sequences.count(); ++i) {
    msv += msv_p_value(model, profile, sequences.row(i)) <= 0.02;
    viterbi += viterbi_p_value(model, profile, sequences.row(i)) <= 0.02;
  }
  EXPECT_GT(msv, 3000 * 0.012);
  EXPECT_LT(msv, 3000 * 0.032);
  EXPECT_GT(viterbi, 3000 * 0.008);
  EXPECT_LT(viterbi, 3000 * 0.032);
}

TEST(ProfileHmmGenerator, CalibratesRealModelsAsHmmbuildDid) {
  const std::filesystem::path examples = "/usr/share/doc/hmmer/examples/tutorial";
  if (!std::filesystem::exists(examples / "fn3.hmm"))
    GTEST_SKIP() << "package hmmer-examples is not installed";
  for (const char* name : {"fn3.hmm", "globins4.hmm", "Pkinase.hmm"}) {
    const Model model = read_models(examples / name).at(0);
    Model again = model;
    calibrate(again, 1);
    EXPECT_NEAR(again.msv.lambda, model.msv.lambda, 2e-5) << name;
    EXPECT_NEAR(again.msv.mu, model.msv.mu, 0.4) << name;
    EXPECT_NEAR(again.viterbi.mu, model.viterbi.mu, 0.4) << name;
    EXPECT_NEAR(again.forward.mu, model.forward.mu, 1) << name;
  }
}

TEST(ProfileHmmGenerator, SequencesHaveTheLengthsAndCompositionOfSwissProt) {
  const Model model = random_model(100, 1);
  const Sequences sequences = random_sequences(model, {.count = 20'000, .homologs = 0}, 1);
  ASSERT_EQ(sequences.count(), 20'000u);
  EXPECT_EQ(std::set<std::string>(sequences.names.begin(), sequences.names.end()).size(), 20'000u);
  std::vector<u32> lengths;
  for (u64 i = 0; i < sequences.count(); ++i) lengths.push_back(sequences.length(i));
  std::sort(lengths.begin(), lengths.end());
  EXPECT_NEAR(static_cast<double>(sequences.residues()) / 20'000, 370, 15);
  EXPECT_NEAR(lengths[1000], 79, 5);
  EXPECT_NEAR(lengths[10'000], 305, 10);
  EXPECT_NEAR(lengths[19'800], 1472, 150);
  std::array<double, kAminoAcids> counts{};
  for (const u8 code : sequences.codes) {
    ASSERT_LT(code, kAminoAcids);
    ++counts[code];
  }
  for (u32 a = 0; a < kAminoAcids; ++a)
    EXPECT_NEAR(counts[a] / static_cast<double>(sequences.residues()), kBackground[a], 5e-4) << a;
}

TEST(ProfileHmmGenerator, HomologsHoldADomainAndOthersNone) {
  const Model model = random_model(200, 4);
  const Profile profile = make_profile(model);
  const Sequences sequences = random_sequences(model, {.count = 1000, .homologs = 0.2, .longest = 2000}, 9);
  int homologs = 0, found = 0, others_found = 0;
  for (u64 i = 0; i < sequences.count(); ++i) {
    const bool homolog = sequences.names[i].starts_with("homolog");
    const bool passed = viterbi_p_value(model, profile, sequences.row(i)) < 1e-5;
    homologs += homolog;
    (homolog ? found : others_found) += passed;
  }
  EXPECT_NEAR(homologs, 200, 50);
  EXPECT_GT(found, homologs * 0.95);
  EXPECT_LE(others_found, 1);
}

TEST(ProfileHmmGenerator, MostResiduesAreNotExceeded) {
  for (const u32 model_length : {1u, 40u, 600u}) {
    const Model model = random_model(model_length, 3);
    for (const double homologs : {0.0, 0.01, 1.0})
      for (const u64 count : {1u, 20u, 2000u})
        for (const u64 seed : {1u, 2u, 3u}) {
          const SequenceGeneration generation{.count = count, .homologs = homologs};
          const u64 residues = random_sequences(model, generation, seed).residues();
          EXPECT_LE(residues, most_residues(model_length, generation));
          if (count == 2000) {
            EXPECT_GE(2 * residues, most_residues(model_length, generation));
          }
        }
  }
}

TEST(ProfileHmmGenerator, SequencesAreTheirSeedsAndNoLongerThanTold) {
  const Model model = random_model(400, 1);
  const SequenceGeneration generation{.count = 100, .homologs = 0.5, .longest = 150};
  const Sequences one = random_sequences(model, generation, 1), same = random_sequences(model, generation, 1);
  EXPECT_EQ(one.codes, same.codes);
  EXPECT_EQ(one.names, same.names);
  EXPECT_NE(one.codes, random_sequences(model, generation, 2).codes);
  for (u64 i = 0; i < one.count(); ++i) EXPECT_LE(one.length(i), 150u);
  EXPECT_EQ(random_sequences(model, {.count = 0}, 1).count(), 0u);
  for (const auto& name : random_sequences(model, {.count = 50, .homologs = 1}, 1).names)
    EXPECT_TRUE(name.starts_with("homolog"));
}

}  // namespace
}  // namespace gpuseq::profile_hmm
