#include <fmt/format.h>

#include <numeric>

#include "kernels/exact_match/exec/match_writer.hpp"
#include "kernels/exact_match/oracle.hpp"
#include "tests/kernels/exact_match/mummer_output.hpp"
#include "tests/kernels/exact_match/small_inputs.hpp"

// The oracle and the writer against the program mummer: the same lines for every strand, byte for byte.

namespace gpuseq::exact_match {
namespace {

class MummerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (testing::mummer_is_missing()) GTEST_SKIP() << testing::kNoMummer;
  }

  /// @returns the number of matches
  u64 compare(const testing::SmallInput& input, const Search& search) {
    const auto reference_file = folder_.write("reference.fa", input.reference);
    const auto query_file = folder_.write("queries.fa", input.queries);
    const Reference reference = read_reference(reference_file);
    const Queries queries = read_queries(query_file, 0);
    std::vector<u64> all(queries.count());
    std::iota(all.begin(), all.end(), u64{0});
    const MatchList found = Oracle(reference, search).find(queries, all, pool_);
    std::string ours;
    MatchWriter(reference, search).write(ours, queries, found, 0, found.end.size());
    EXPECT_EQ(testing::sorted_lines(ours),
              testing::sorted_lines(testing::run_mummer(folder_, search, reference_file, query_file)))
        << input.name << ", -l " << search.min_length << ", -" << kModeNames[static_cast<u8>(search.mode)]
        << (search.both_strands ? ", -b" : "");
    return found.matches.size();
  }

  u64 compare_all(const testing::SmallInput& input) {
    u64 matches = 0;
    for (const u32 length : input.min_lengths)
      for (const Mode mode : {Mode::maxmatch, Mode::mumreference, Mode::mum})
        for (const bool both : {false, true})
          matches += compare(input, {.min_length = length, .mode = mode, .both_strands = both});
    return matches;
  }

  TemporaryFolder folder_;
  ThreadPool pool_{1};
};

TEST_F(MummerTest, PrintsTheSameMatchesOfRepeatsRunsOfNAndOddLengths) {
  for (const testing::SmallInput& input : testing::chosen_inputs()) EXPECT_GT(compare_all(input), 0u);
}

TEST_F(MummerTest, PrintsTheSameMatchesOfRandomSequencesThatRepeat) {
  u64 matches = 0;
  for (unsigned number = 0; number < 30; ++number) matches += compare_all(testing::random_input(number));
  EXPECT_GT(matches, 5000u);
}

}  // namespace
}  // namespace gpuseq::exact_match
