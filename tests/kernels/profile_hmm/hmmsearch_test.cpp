#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kernels/profile_hmm/checked_passes.hpp"
#include "kernels/profile_hmm/oracle.hpp"
#include "runtime/system/child_process.hpp"
#include "tests/kernels/profile_hmm/hmmer_data.hpp"
#include "tests/runtime/temporary_folder.hpp"

// As many sequences pass our filters as pass those of the program hmmsearch, also at other thresholds than
// its own: a ladder of them pins the distribution of scores.

namespace gpuseq::profile_hmm {
namespace {

namespace fs = std::filesystem;

constexpr double kLoosest = 0.5;  // F1 of the ladder

struct Options {
  double f1 = kF1, f2 = kF2;
  bool bias_filter = true;

  std::vector<std::string> arguments() const {
    std::vector<std::string> given;
    if (f1 != kF1) given.insert(given.end(), {"--F1", fmt::format("{}", f1)});
    if (f2 != kF2) given.insert(given.end(), {"--F2", fmt::format("{}", f2)});
    if (!bias_filter) given.emplace_back("--nobias");
    return given;
  }
};

/// Passed the MSV, bias and Viterbi filters.
using Passed = std::array<u64, 3>;

/// P values of a sequence, at each step of the pipeline.
struct Tails {
  bool scored = false;
  double msv = 1, msv_biased = 1, viterbi = 1, viterbi_biased = 1;
};

Tails tails_of(const Model& model, const Profile& profile, std::span<const u8> residues) {
  if (residues.empty()) return {};
  const auto length = static_cast<u32>(residues.size());
  const float null_nats = null_score(length), bias_nats = bias_score(model, residues);
  const float nats = oracle_msv_filter(profile, residues).nats;
  Tails tails{.scored = true,
              .msv = p_value(model.msv, bits(nats, null_nats)),
              .msv_biased = p_value(model.msv, bits(nats, bias_nats))};
  if (tails.msv > kLoosest) return tails;
  const float words = viterbi_score(profile, length, oracle_score(profile, Filter::viterbi, residues)).nats;
  tails.viterbi = p_value(model.viterbi, bits(words, null_nats));
  tails.viterbi_biased = p_value(model.viterbi, bits(words, bias_nats));
  return tails;
}

Passed passed(const std::vector<Tails>& sequences, const Options& options) {
  Passed result{};
  for (const Tails& tails : sequences) {
    if (!tails.scored || tails.msv > options.f1) continue;
    ++result[0];
    const double msv = options.bias_filter ? tails.msv_biased : tails.msv;
    if (msv > options.f1) continue;
    ++result[1];
    if (msv > options.f2 && (options.bias_filter ? tails.viterbi_biased : tails.viterbi) > options.f2)
      continue;
    ++result[2];
  }
  return result;
}

class HmmsearchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!find_program("hmmsearch")) GTEST_SKIP() << "hmmsearch is not installed (package hmmer)";
    if (testing::example_models().empty()) GTEST_SKIP() << "package hmmer-examples is not installed";
    std::vector<std::string> sequences = testing::example_homologs(10);
    const auto repeats = testing::repeated(sequences);
    const auto proteins = testing::first_proteins(testing::kProteins, 100'000);
    sequences.insert(sequences.end(), repeats.begin(), repeats.end());
    sequences.insert(sequences.end(), proteins.begin(), proteins.end());
    Random random(3);
    for (int i = 0; i < 300; ++i)
      sequences.push_back(testing::random_protein(50 + random.below(300), random));
    sequences.emplace_back("");
    sequences.emplace_back("W");
    sequences.emplace_back(400, 'Q');  // of biased composition
    fasta_ = folder_.write("all.fasta", testing::as_fasta(sequences));
  }

  Passed hmmsearch(const fs::path& model, const Options& options) {
    const fs::path out = folder_.path() / "hmmsearch.out";
    std::vector<std::string> arguments{"hmmsearch", "--cpu", "1", "--noali", "--F3", "1e-12", "-o", out};
    for (const std::string& more : options.arguments()) arguments.push_back(more);
    arguments.insert(arguments.end(), {model, fasta_});
    run_child({.arguments = arguments, .err = folder_.path() / "errors"});
    Passed result{};
    LineReader lines(out);
    constexpr std::array<std::string_view, 3> kNames{
        "Passed MSV filter:", "Passed bias filter:", "Passed Vit filter:"};
    for (std::string line; lines.next(line);)
      for (std::size_t i = 0; i < kNames.size(); ++i)
        if (line.starts_with(kNames[i])) result[i] = std::stoull(line.substr(kNames[i].size()));
    return result;
  }

  /// @returns the numbers that pass, at all thresholds
  std::set<u64> expect_same_passes(const fs::path& path);

  TemporaryFolder folder_;
  fs::path fasta_;
};

const std::vector<Options> kLadder{{},
                                   {.bias_filter = false},
                                   {.f1 = kLoosest, .f2 = 0.3},
                                   {.f1 = 0.3, .f2 = 0.05, .bias_filter = false},
                                   {.f1 = 0.1, .f2 = 0.02},
                                   {.f1 = 0.05, .f2 = 1e-2},
                                   {.f1 = 0.01, .f2 = 1e-4, .bias_filter = false},
                                   {.f1 = 1e-4, .f2 = 1e-7},
                                   {.f1 = 1e-8, .f2 = 1e-12, .bias_filter = false}};

std::set<u64> HmmsearchTest::expect_same_passes(const fs::path& path) {
  const Sequences sequences = read_sequences(fasta_);
  const std::vector<Model> models = read_models(path);
  EXPECT_EQ(models.size(), 1u);
  const Profile profile = make_profile(models[0]);
  std::vector<Tails> tails(sequences.count());
  ThreadPool pool;
  pool.parallel_for(tails.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) tails[i] = tails_of(models[0], profile, sequences.row(i));
  });
  std::set<u64> met;
  for (const Options& options : kLadder) {
    const Passed ours = passed(tails, options);
    EXPECT_EQ(ours, hmmsearch(path, options)) << path << " " << ::testing::PrintToString(options.arguments());
    met.insert(ours.begin(), ours.end());
  }
  const PassCounts counts = oracle_passes(models[0], profile, sequences, pool);
  EXPECT_EQ((Passed{counts.msv, counts.bias, counts.viterbi}), passed(tails, {}));
  return met;
}

TEST_F(HmmsearchTest, AsManySequencesPassEachFilterAtManyThresholds) {
  std::set<u64> met;
  for (const fs::path& path : testing::example_models()) met.merge(expect_same_passes(path));
  EXPECT_GT(met.size(), 30u);  // the ladder has many different steps
}

TEST_F(HmmsearchTest, AsManyPassWithAModelWithoutCompo) {
  std::string text, all;
  LineReader lines(testing::kExamples / "tutorial/globins4.hmm");
  for (std::string line; lines.next(line); all += line + '\n')
    if (!line.starts_with("  COMPO")) text += line + '\n';
  ASSERT_LT(text.size(), all.size());
  EXPECT_GT(expect_same_passes(folder_.write("without.hmm", text)).size(), 5u);  // more than nothing and all
}

}  // namespace
}  // namespace gpuseq::profile_hmm
