#include "kernels/exact_match/warp_steps.hpp"

#include <gtest/gtest.h>

#include "kernels/exact_match/data/generator.hpp"

namespace gpuseq::exact_match {
namespace {

class WarpsOfASearch : public ::testing::Test {
 protected:
  static constexpr u32 kLength = 100;
  std::string piece(u32 begin) const {
    return letters_of(std::span(reference_.text).subspan(begin, kLength));
  }
  static Queries queries_of(const std::vector<std::string>& reads) {
    Queries queries = empty_queries();
    for (const std::string& read : reads) append(queries, "q", read);
    return queries;
  }
  /// Different reads, of a warp each or 32 in one.
  Queries reads(u64 count) const {
    return simulate_reads(reference_, {.count = count, .bases = kLength, .errors_per_1000 = 10, .seed = 3});
  }
  WarpSteps steps(const Queries& queries, u32 min_length, const SearchWay& way = {},
                  const WarpWay& warps = {}) const {
    return warp_steps(part_, {.min_length = min_length}, queries, way, warps);
  }

  ThreadPool pool_{1};
  Reference reference_ = random_reference({.bases = 50'000, .sequences = 1, .repeat_percent = 0});
  TreePart part_ = whole(std::make_shared<const SuffixTree>(build_tree(reference_.text, pool_)));
};

TEST_F(WarpsOfASearch, ThreadsThatDoTheSameCostWhatOneDoes) {
  const WarpSteps one = steps(queries_of({piece(1000)}), 20);
  const Queries all = queries_of(std::vector<std::string>(64, piece(1000)));
  EXPECT_GT(one.instructions, 1);
  const WarpSteps same = steps(all, 20);
  EXPECT_NEAR(same.instructions * 32, one.instructions, 1e-9);
  EXPECT_NEAR(same.longest, 1, 1e-9);
  EXPECT_GE(same.waits * 32, one.waits);  // each comes to its own block, but in the same steps
}

TEST_F(WarpsOfASearch, ThreadsThatDifferWaitForEachOtherAndMeetAtEachPosition) {
  constexpr u64 kReads = 64;
  const Queries different = reads(kReads);
  double alone = 0;  // mean of each in a warp of its own
  for (u64 read = 0; read < kReads; ++read)
    alone += steps(queries_of({letters_of(different.codes(read))}), 20).instructions / kReads;
  const WarpSteps together = steps(different, 20);
  EXPECT_GT(together.instructions * 32, 1.5 * alone);
  EXPECT_LT(together.instructions * 32, 8 * alone);
  EXPECT_GE(together.longest, 1);
}

TEST_F(WarpsOfASearch, LettersOneByOneAndMoreLanesAreMoreInstructions) {
  const Queries all = reads(2048);
  EXPECT_GT(steps(all, kLength, {}, {.letters_at_once = 1}).instructions,
            1.5 * steps(all, kLength).instructions);
  EXPECT_GT(steps(all, 20, {}, {.lanes = 8}).instructions, steps(all, 20).instructions);
  const SearchWay words{.prefix_letters = 6, .filter_letters = 11};
  EXPECT_LT(steps(all, 20, words).instructions, 0.8 * steps(all, 20).instructions);
  EXPECT_GT(steps(all, 20, {.listed = true}).instructions, 0);
}

TEST_F(WarpsOfASearch, NothingIsDoneForNoQueries) {
  EXPECT_EQ(steps(queries_of({}), 20).instructions, 0);
  EXPECT_EQ(steps(queries_of({""}), 20).instructions, 0);
}

}  // namespace
}  // namespace gpuseq::exact_match
