#include "kernels/exact_match/matches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/exact_match/exec/match_writer.hpp"

namespace gpuseq::exact_match {
namespace {

using ::testing::ElementsAre;

TEST(Matches, OnesWithinOthersOrOfTheSamePieceAreNotUniqueInTheQuery) {
  std::vector<Match> matches{{.reference = 1, .query = 9, .length = 99},  // of another strand
                             {.reference = 10, .query = 0, .length = 30},
                             {.reference = 15, .query = 40, .length = 20},  // within the first
                             {.reference = 35, .query = 70, .length = 20},  // beyond its end
                             {.reference = 60, .query = 100, .length = 25},
                             {.reference = 60, .query = 150, .length = 25},  // the same piece
                             {.reference = 60, .query = 200, .length = 22},  // within both
                             {.reference = 90, .query = 5, .length = 21}};
  keep_unique_in_query(matches, 1);
  EXPECT_THAT(matches, ElementsAre(Match{1, 9, 99}, Match{10, 0, 30}, Match{90, 5, 21}, Match{35, 70, 20}));
}

TEST(MatchWriter, PutsNamesOfSequencesInAColumnWhereThereAreSeveral) {
  Reference reference = empty_reference();
  append(reference, "one", "ACGTACGT");
  append(reference, "second", "GGGG");
  Queries queries = empty_queries();
  append(queries, "q", "ACGT");
  append(queries, "", "GG");
  const MatchList list{
      .matches = {{.reference = 5, .query = 0, .length = 4}, {.reference = 11, .query = 0, .length = 2}},
      .end = {1, 1, 1, 2}};
  std::string out;
  MatchWriter(reference, {.min_length = 2, .both_strands = true}).write(out, queries, list, 0, 4);
  EXPECT_EQ(out,
            "> q\n  one            5         1         4\n> q Reverse\n> \n>  Reverse\n"
            "  second         2         1         2\n");
}

TEST(Reference, PositionsBelongToTheirSequences) {
  Reference reference = empty_reference();
  for (const char* letters : {"ACG", "", "T", "NNA"}) append(reference, letters, letters);
  EXPECT_EQ(letters_of(reference.text), "NACGNNTNNNAN");
  EXPECT_EQ(reference.letters(), 7u);
  EXPECT_EQ(reference.others, 2u);
  const std::vector<std::pair<u32, u32>> expected{{1, 0}, {3, 0}, {6, 2}, {8, 3}, {10, 3}};
  for (const auto& [position, sequence] : expected) EXPECT_EQ(reference.sequence_at(position), sequence);
}

}  // namespace
}  // namespace gpuseq::exact_match
