#include "kernels/profile_hmm/exec/score_table.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "kernels/profile_hmm/checked_passes.hpp"
#include "kernels/profile_hmm/exec/pipeline.hpp"
#include "tests/kernels/profile_hmm/cpu_problems.hpp"

// Rows that threads format together, against rows that are written one by one, and sequences that threads
// filter, against the oracle.

namespace gpuseq::profile_hmm {
namespace {

Sequences one_of(const Sequences& all, u64 i) {
  Sequences one;
  one.append(all.names[i], all.row(i));
  return one;
}

TEST(ScoreTable, RowsOfThreadsAreThoseThatAreWrittenOneByOne) {
  constexpr u64 kPiece = 1 << 10, kBlock = 1 << 16;
  ThreadPool three(3, false);
  const Model model = testing::sharp_model(12, 3);
  const Profile profile = make_profile(model);
  Sequences all;
  Random random(3);
  RawScores raw;
  std::vector<std::string> lines;
  PassCounts counts;
  std::string expected;
  std::vector<std::size_t> ends{0};
  std::vector<PassCounts> until{counts};
  for (u64 i = 0; i < kBlock + 2; ++i) {
    all.append("s" + std::to_string(i), testing::amino_acids(random.below(9), random));
    const auto score = [&](Filter filter) { return oracle_score(profile, filter, all.row(i)); };
    raw.ssv.push_back(score(Filter::ssv));
    raw.msv.push_back(score(Filter::msv));
    raw.viterbi.push_back(score(Filter::viterbi));
  }
  ThreadPool one(1, false);
  for (u64 i = 0; i < all.count(); ++i) {
    std::ostringstream line;
    counts += write_scores(line, model, profile, one_of(all, i),
                           {.ssv = {raw.ssv[i]}, .msv = {raw.msv[i]}, .viterbi = {raw.viterbi[i]}}, one);
    expected += line.str();
    ends.push_back(expected.size());
    until.push_back(counts);
  }
  for (const u64 rows : {kPiece - 1, kPiece, kPiece + 1, kBlock - 1, kBlock, kBlock + 2}) {
    Sequences some;
    RawScores of_some;
    for (u64 i = 0; i < rows; ++i) {
      some.append(all.names[i], all.row(i));
      of_some.ssv.push_back(raw.ssv[i]);
      of_some.msv.push_back(raw.msv[i]);
      of_some.viterbi.push_back(raw.viterbi[i]);
    }
    std::ostringstream out;
    const PassCounts found = write_scores(out, model, profile, some, of_some, three);
    EXPECT_TRUE(out.str() == expected.substr(0, ends[rows])) << rows;
    EXPECT_EQ(found.sequences, until[rows].sequences);
    EXPECT_EQ(found.msv, until[rows].msv);
    EXPECT_EQ(found.bias, until[rows].bias);
    EXPECT_EQ(found.viterbi, until[rows].viterbi);
  }
}

TEST(Pipeline, ThreadsPassWhatTheOraclePasses) {
  ThreadPool three(3, false);
  const Model model = testing::sharp_model(60, 4);
  const Profile profile = make_profile(model);
  const auto few = testing::mixed_sequences(model, 4);
  for (const u64 count : {255, 256, 257, 700}) {  // threads take 256 at a time
    auto sequences = std::make_shared<Sequences>();
    for (u64 i = 0; i < count; ++i)
      sequences->append(few->names[i % few->count()], few->row(i % few->count()));
    const Scored scored = score_passing(
        model, profile, sequences,
        [&](Filter filter, const std::shared_ptr<const Sequences>& of) {
          std::vector<RawScore> scores;
          for (u64 i = 0; i < of->count(); ++i) scores.push_back(oracle_score(profile, filter, of->row(i)));
          return scores;
        },
        three);
    const std::vector<u8> passes = oracle_msv_passes(model, profile, *sequences, three);
    std::vector<std::string> expected;
    for (u64 i = 0; i < count; ++i)
      if (passes[i] != 0) expected.push_back(sequences->names[i]);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(scored.sequences->names, expected) << count;
  }
}

}  // namespace
}  // namespace gpuseq::profile_hmm
