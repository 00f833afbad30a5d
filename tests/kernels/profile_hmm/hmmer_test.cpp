#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <fstream>

#include "kernels/profile_hmm/data/generator.hpp"
#include "kernels/profile_hmm/exec/score_table.hpp"
#include "kernels/profile_hmm/oracle.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/system/child_process.hpp"
#include "runtime/system/threads.hpp"
#include "tests/kernels/profile_hmm/hmmer_data.hpp"
#include "tests/kernels/profile_hmm/unusual_models.hpp"
#include "tests/runtime/temporary_folder.hpp"
#include "tests/source_dir.hpp"

// Bit for bit the scores that HMMER's own functions compute, called in pyhmmer's library.

namespace gpuseq::profile_hmm {
namespace {

namespace fs = std::filesystem;

constexpr int kOk = 0, kRange = 16, kNoResult = 19;  // eslOK, eslERANGE, eslENORESULT
constexpr int kSkip = 77;

struct HmmerRow {
  std::size_t model = 0, sequence = 0;
  u32 residues = 0;
  int ssv_status = 0, msv_status = 0, viterbi_status = 0;
  u32 ssv = 0, msv = 0, viterbi = 0, null_score = 0, bias_score = 0;
  u64 msv_p = 0, viterbi_p = 0;
};

std::istream& operator>>(std::istream& in, HmmerRow& row) {
  in >> std::dec >> row.model >> row.sequence >> row.residues;
  in >> std::dec >> row.ssv_status >> std::hex >> row.ssv;
  in >> std::dec >> row.msv_status >> std::hex >> row.msv;
  in >> std::dec >> row.viterbi_status >> std::hex >> row.viterbi;
  return in >> row.null_score >> row.bias_score >> row.msv_p >> row.viterbi_p;
}

u32 bits_of(float value) {
  return std::bit_cast<u32>(value);
}
u64 bits_of(double value) {
  return std::bit_cast<u64>(value);
}

/// The results of our functions, in the words of the table.
struct Counted {
  u64 rows = 0, undecided = 0, ssv_overflows = 0, msv_overflows = 0, viterbi_overflows = 0;
};

class HmmerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (testing::example_models().empty()) GTEST_SKIP() << "package hmmer-examples is not installed";
  }

  /// HMMER's scores; nullopt, and a reason, where pyhmmer cannot be used.
  std::optional<std::vector<HmmerRow>> hmmer_scores(const fs::path& models, const fs::path& sequences) {
    const char* given = std::getenv("GPUSEQ_PYTHON");
    const fs::path script = source_dir() / "tests/kernels/profile_hmm/hmmer_scores.py";
    const fs::path table = folder_.path() / "hmmer.tsv", printed = folder_.path() / "printed";
    try {
      run_child({.arguments = {given == nullptr ? "python3" : given, "-B", script, models, sequences, table},
                 .out = printed,
                 .err = folder_.path() / "errors"});
    } catch (const ChildFailed& failure) {
      if (failure.exit_code != kSkip) throw;
      reason_ = read_file(printed);
      return std::nullopt;
    }
    std::ifstream in(table);
    std::vector<HmmerRow> rows;
    for (HmmerRow row; in >> row;) rows.push_back(row);
    EXPECT_TRUE(in.eof());
    return rows;
  }

  /// Compares all models of a file with all sequences of one. @returns false: skipped
  bool compare(const fs::path& models_file, const fs::path& sequences_file) {
    const auto rows = hmmer_scores(models_file, sequences_file);
    if (!rows) return false;
    const std::vector<Model> models = read_models(models_file);
    const Sequences sequences = read_sequences(sequences_file);
    std::vector<Profile> profiles;
    for (const Model& model : models) profiles.push_back(make_profile(model));
    u64 with_residues = 0;
    for (u64 i = 0; i < sequences.count(); ++i) with_residues += sequences.length(i) > 0;
    EXPECT_EQ(rows->size(), models.size() * with_residues);
    ThreadPool pool;
    std::vector<std::string> differences(rows->size());
    std::vector<Counted> counted(rows->size());
    pool.parallel_for(rows->size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const HmmerRow& row = (*rows)[i];
        differences[i] = difference(models.at(row.model), profiles[row.model], sequences, row, counted[i]);
      }
    });
    for (const std::string& text : differences)
      if (!text.empty()) {
        ADD_FAILURE() << models_file << ": " << text;
        break;
      }
    for (const Counted& one : counted) {
      counted_.rows += one.rows;
      counted_.undecided += one.undecided;
      counted_.ssv_overflows += one.ssv_overflows;
      counted_.msv_overflows += one.msv_overflows;
      counted_.viterbi_overflows += one.viterbi_overflows;
    }
    return true;
  }

  static std::string difference(const Model& model, const Profile& profile, const Sequences& sequences,
                                const HmmerRow& row, Counted& counted) {
    const auto residues = sequences.row(row.sequence);
    const auto length = static_cast<u32>(residues.size());
    std::string found;
    const auto same = [&](std::string_view what, auto ours, auto hmmers) {
      if (found.empty() && ours != hmmers)
        found =
            fmt::format("model {} ({} states), sequence {} ({} residues), {}: HMMER {:x}, ours {:x}",
                        model.name, model.length, sequences.names[row.sequence], length, what, hmmers, ours);
    };
    same("residues", length, row.residues);
    const RawScore ssv_raw = oracle_score(profile, Filter::ssv, residues);
    const RawScore msv_raw = oracle_score(profile, Filter::msv, residues);
    const auto ssv = ssv_score(profile, length, ssv_raw);
    const FilterScore full_msv = msv_score(profile, length, msv_raw);
    const FilterScore msv = ssv.value_or(full_msv);
    const FilterScore viterbi =
        viterbi_score(profile, length, oracle_score(profile, Filter::viterbi, residues));
    same("SSV's status", ssv ? (ssv->overflow ? kRange : kOk) : kNoResult, row.ssv_status);
    if (ssv) same("SSV", bits_of(ssv->nats), row.ssv);
    same("MSV's status", msv.overflow ? kRange : kOk, row.msv_status);
    same("MSV", bits_of(msv.nats), row.msv);
    // Where SSV decides, HMMER computes no MSV; but the two then agree, unless nothing scores above 0.
    if (ssv && ssv_raw > 128) same("MSV where SSV decides", bits_of(full_msv.nats), row.msv);
    same("Viterbi's status", viterbi.overflow ? kRange : kOk, row.viterbi_status);
    same("Viterbi", bits_of(viterbi.nats), row.viterbi);
    const float null_nats = null_score(length);
    same("null", bits_of(null_nats), row.null_score);
    same("bias", bits_of(bias_score(model, residues)), row.bias_score);
    same("P of MSV", bits_of(p_value(model.msv, bits(msv.nats, null_nats))), row.msv_p);
    same("P of Viterbi", bits_of(p_value(model.viterbi, bits(viterbi.nats, null_nats))), row.viterbi_p);
    counted = {.rows = 1,
               .undecided = !ssv,
               .ssv_overflows = ssv && ssv->overflow,
               .msv_overflows = !ssv && msv.overflow,
               .viterbi_overflows = viterbi.overflow};
    return found;
  }

  TemporaryFolder folder_;
  std::string reason_;
  Counted counted_;
};

TEST_F(HmmerTest, EveryModelOfTheExamplesScoresRealAndOddSequencesAsHmmerDoes) {
  std::vector<std::string> sequences = testing::odd_sequences();
  const auto add = [&](const std::vector<std::string>& more) {
    sequences.insert(sequences.end(), more.begin(), more.end());
  };
  const std::vector<std::string> homologs = testing::example_homologs(8);
  ASSERT_GT(homologs.size(), 50u);
  add(homologs);
  add(testing::repeated(homologs));
  add(testing::first_proteins(testing::kProteins, 30'000));
  add(testing::first_proteins(testing::kExamples / "tutorial" / "globins45.fa", 100'000));
  const fs::path fasta = folder_.write("all.fasta", testing::as_fasta(sequences));
  const std::vector<fs::path> models = testing::example_models();
  EXPECT_GE(models.size(), 12u);
  for (const fs::path& model : models)
    if (!compare(model, fasta)) GTEST_SKIP() << reason_;
  // The comparison has met every kind of answer.
  EXPECT_GT(counted_.rows, 1000u);
  EXPECT_GT(counted_.undecided, 20u);
  EXPECT_GT(counted_.ssv_overflows, 5u);
  EXPECT_GT(counted_.msv_overflows, 5u);
  EXPECT_GT(counted_.viterbi_overflows, 5u);
}

TEST_F(HmmerTest, SeededModelsOfAllLengthsScoreSeededSequencesAsHmmerDoes) {
  for (const u32 length : {1u, 2u, 3u, 15u, 16u, 17u, 100u, 2405u, 3000u}) {
    const Model model = random_model(length, length);
    std::ofstream models(folder_.path() / "model.hmm");
    write_model(models, model);
    models.close();
    Sequences sequences = random_sequences(
        model, {.count = length > 1000 ? 12u : 60u, .homologs = 0.5, .longest = 1000}, length);
    Random random(length);
    for (const std::string& odd : testing::odd_sequences()) {
      std::vector<u8> codes;
      for (const char letter : odd.substr(0, length > 1000 ? 20'000 : odd.size()))
        codes.push_back(residue_code(letter).value());
      sequences.append("odd", codes);
    }
    std::ofstream fasta(folder_.path() / "sequences.fasta");
    write_fasta(fasta, sequences);
    fasta.close();
    if (!compare(folder_.path() / "model.hmm", folder_.path() / "sequences.fasta")) GTEST_SKIP() << reason_;
  }
  EXPECT_GT(counted_.rows, 500u);
  EXPECT_GT(counted_.undecided, 20u);
}

TEST_F(HmmerTest, SpoiltModelsScoreAsInHmmerToo) {
  std::ofstream models(folder_.path() / "models.hmm");
  for (u64 seed = 1; seed <= 60; ++seed) write_model(models, testing::spoilt_model(seed));
  models.close();
  std::vector<std::string> sequences = testing::odd_sequences();
  sequences.pop_back();  // the longest
  Random random(11);
  for (int i = 0; i < 60; ++i) sequences.push_back(testing::random_protein(1 + random.below(300), random));
  const fs::path fasta = folder_.write("s.fasta", testing::as_fasta(sequences));
  if (!compare(folder_.path() / "models.hmm", fasta)) GTEST_SKIP() << reason_;
}

TEST_F(HmmerTest, AModelWhoseBoundOfDeletionsWrapsLosesThemAsInHmmer) {
  std::ofstream models(folder_.path() / "model.hmm");
  write_model(models, testing::wrapped_model());
  models.close();
  const fs::path fasta = folder_.write("s.fasta", testing::as_fasta({testing::wrapped_sequence()}));
  Profile profile = make_profile(read_models(folder_.path() / "model.hmm").at(0));
  EXPECT_TRUE(delete_bound_is_low(profile));
  const Sequences sequences = read_sequences(fasta);
  const RawScore as_hmmer = oracle_score(profile, Filter::viterbi, sequences.row(0));
  profile.delete_bound = 32767;
  EXPECT_LT(as_hmmer, oracle_score(profile, Filter::viterbi, sequences.row(0)));
  if (!compare(folder_.path() / "model.hmm", fasta)) GTEST_SKIP() << reason_;
}

}  // namespace
}  // namespace gpuseq::profile_hmm
