#include <gtest/gtest.h>

#include <numeric>

#include "kernels/exact_match/oracle.hpp"
#include "kernels/exact_match/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/kernels/exact_match/small_inputs.hpp"
#include "tests/runtime/temporary_folder.hpp"

// A reference in overlapping parts gives the same as the whole one.

namespace gpuseq::exact_match {
namespace {

TEST(ExactMatchParts, OwnRangesCoverATextOnceAndPartsReachOneLetterBackAndAQueryOn) {
  for (const u64 letters : {2u, 3u, 10u, 1000u})
    for (const u64 parts : {1u, 2u, 3u, 7u, 64u, 5000u})
      for (const u64 longest : {1u, 4u, 2000u}) {
        const auto ranges = split_text(letters, parts, longest);
        ASSERT_FALSE(ranges.empty());
        EXPECT_LE(ranges.size(), parts);
        u32 at = 0;
        for (const PartRange& range : ranges) {
          EXPECT_EQ(range.own_begin, at);
          EXPECT_LT(range.own_begin, range.own_end);
          EXPECT_EQ(range.begin, at == 0 ? 0 : at - 1);
          EXPECT_EQ(range.end, std::min<u64>(letters, range.own_end - 1 + longest + (ranges.size() == 1)));
          at = range.own_end;
        }
        EXPECT_EQ(at, letters);
      }
}

TEST(ExactMatchParts, APartsTextHasSeparatorsAroundItAndItsLettersAreWhereItsOffsetSays) {
  const std::vector<u8> text{4, 0, 1, 2, 3, 4, 3, 2, 1, 0, 4};
  for (const PartRange& range : split_text(text.size(), 3, 2)) {
    const std::vector<u8> piece = part_text(text, range);
    const TreePart part = part_of(range);
    EXPECT_EQ(piece.front(), kSeparator);
    EXPECT_EQ(piece.back(), kSeparator);
    for (u32 at = part.own_begin; at < part.own_end; ++at) EXPECT_EQ(piece[at], text[at + part.offset]);
    EXPECT_EQ(part.own_begin + part.offset, range.own_begin);
  }
}

TEST(ExactMatchParts, AsManyAsABudgetAsksFor) {
  EXPECT_EQ(parts_within(1000, 100, 1000 * kTreeBytesPerLetter), 1u);
  for (const u64 letters : {150u, 300u, 999u}) {
    const u64 parts = parts_within(1000, 100, letters * kTreeBytesPerLetter);
    for (const PartRange& range : split_text(1000, parts, 100))
      EXPECT_LE(range.end - range.begin + 2, letters);
    EXPECT_GT(parts, 1u);
  }
  EXPECT_THROW(parts_within(1000, 100, 50 * kTreeBytesPerLetter), UsageError);
}

class PartsTest : public ::testing::Test {
 protected:
  /// All modes and, in turn, numbers of trees with both variants and kinds of result, against the oracle.
  u64 compare(const testing::SmallInput& input) {
    u64 matches = 0;
    for (const u32 length : input.min_lengths)
      for (const Mode mode : {Mode::maxmatch, Mode::mumreference, Mode::mum})
        matches += compare(input, {.min_length = length, .mode = mode, .both_strands = length % 2 == 1});
    return matches;
  }

  u64 compare(const testing::SmallInput& input, const Search& search) {
    const auto problem = make_problem(read_reference(folder_.write("r.fa", input.reference)),
                                      read_queries(folder_.write("q.fa", input.queries), 0), search);
    std::vector<u64> all(problem->queries().count());
    std::iota(all.begin(), all.end(), u64{0});
    const MatchList expected = Oracle(problem->reference(), search).find(problem->queries(), all, pool_);
    const std::vector<MatchVariant> variants = cpu_variants();
    for (int i = 0; i < 3; ++i) {
      const std::int64_t trees = 1 + turn_++ % 7;
      const Variant& variant = variants[static_cast<std::size_t>(trees) % 2].variant;
      Point point = variant.space.complete(Point::parse("threads=1"));
      if (point.has("prefix_letters")) {
        point.set("prefix_letters", std::int64_t{3});
        point.set("filter_letters", std::int64_t{5});
      }
      point.set("trees", trees);
      point.set("result", std::string(trees / 2 % 2 == 0 ? "matches" : "slots"));
      const auto session = prepare_as<MatchSession>(*problem, variant, point, device_);
      EXPECT_EQ(session->matches(), expected)
          << input.name << ", l " << search.min_length << ", " << kModeNames[static_cast<u8>(search.mode)]
          << ", " << point.to_string();
      EXPECT_EQ(session->facts()["trees"],
                std::min<u64>(static_cast<u64>(trees), problem->reference().text.size() / 2));
    }
    return expected.matches.size();
  }

  TemporaryFolder folder_;
  ThreadPool pool_{1};
  CpuDevice device_;
  int turn_ = 0;
};

TEST_F(PartsTest, GiveTheMatchesOfRepeatsRunsOfNAndTinySequencesOnce) {
  for (const testing::SmallInput& input : testing::chosen_inputs()) EXPECT_GT(compare(input), 0u);
  EXPECT_GT(compare({"tiny sequences",
                     ">a\nA\n>b\nC\n>c\nAC\n>d\n\n>e\nACG\n>f\nNNNNNNNNNN\n>g\nACGT\n>h\nT\n",
                     ">q\nACGT\n>p\nA\n>n\nCGNA\n",
                     {1, 2, 3}}),
            0u);
}

TEST_F(PartsTest, GiveTheMatchesOfRandomSequencesThatRepeatOnce) {
  u64 matches = 0;
  for (unsigned number = 200; number < 208; ++number) matches += compare(testing::random_input(number));
  EXPECT_GT(matches, 700u);
}

TEST_F(PartsTest, GiveMatchesThatLieAcrossEveryBorderOnce) {
  Random random(5);
  const std::string letters = testing::random_letters(random, 120, "ACGT");
  std::string queries;
  for (std::size_t at = 0; at + 30 <= letters.size(); ++at)
    queries += fmt::format(">q{}\n{}\n", at, letters.substr(at, 30));
  EXPECT_GT(compare({"every piece", ">r\n" + letters + "\n", queries, {10, 29, 30}}), 90u);
}

TEST_F(PartsTest, ComeFromTheCacheAsTheyWere) {
  Random random(6);
  const auto input = testing::random_input(33);
  const Search search{.min_length = 4};
  const auto make = [&] {
    return make_problem(read_reference(folder_.write("r.fa", input.reference)),
                        read_queries(folder_.write("q.fa", input.queries), 0), search,
                        folder_.path() / "cache");
  };
  const auto first = make(), second = make();
  const auto built = first->parts(3, NodeOrder::breadth_first);
  const auto read = second->parts(3, NodeOrder::breadth_first);
  ASSERT_EQ(built.size(), 3u);
  ASSERT_EQ(read.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_TRUE(std::ranges::equal(built[i].tree->leaves, read[i].tree->leaves));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path() / "cache"), {}), 3);
}

TEST_F(PartsTest, SecondsOfTheTreesListingAndPrintingAreSideSamples) {
  const auto input = testing::random_input(35);
  const auto problem = make_problem(read_reference(folder_.write("r.fa", input.reference)),
                                    read_queries(folder_.write("q.fa", input.queries), 0), {.min_length = 4});
  const double whole_s = (problem->tree(NodeOrder::depth_first), problem->tree_s());
  EXPECT_GT(whole_s, 0);
  for (const char* point : {"trees=3,threads=1", "trees=1,threads=1"}) {
    const Variant variant = cpu_variants().front().variant;
    const auto session = prepare_as<MatchSession>(*problem, variant, Point::parse(point), device_);
    EXPECT_EQ(problem->tree_s() == whole_s, std::string_view(point).starts_with("trees=1"));
    const auto samples = session->side_samples_s();
    for (const char* name : {"tree", "listing", "printing"}) {
      ASSERT_TRUE(samples.contains(name)) << name;
      EXPECT_GT(samples.at(name).at(0), 0) << name;
    }
  }
}

}  // namespace
}  // namespace gpuseq::exact_match
