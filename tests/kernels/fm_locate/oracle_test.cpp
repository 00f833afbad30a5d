#include "kernels/fm_locate/oracle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/kernels/fm_locate/small_texts.hpp"

namespace gpuseq::fm_locate {
namespace {

using ::testing::HasSubstr;
using testing::SmallText;

TEST(LocateOracle, AcceptsWhatTryingEveryPlaceFinds) {
  for (const std::string& letters : testing::small_texts()) {
    const SmallText text(letters, 60, 9);
    const fm_index::testing::BruteForce intervals(letters);
    for (const std::string& query : text.words) {
      std::vector<u32> places = testing::places_of(letters, query);
      EXPECT_EQ(why_wrong(text.codes, text.suffixes, intervals.interval(query), 0, query, places), "")
          << query;
      std::ranges::reverse(places);
      EXPECT_EQ(why_wrong(text.codes, text.suffixes, intervals.interval(query), 0, query, places), "");
    }
  }
}

TEST(LocateOracle, SpellsTheOtherStrand) {
  EXPECT_EQ(reverse_complement("AACGTC"), "GACGTT");
  EXPECT_EQ(reverse_complement("GAATTC"), "GAATTC");
  EXPECT_EQ(reverse_complement(""), "");
}

TEST(LocateOracle, SaysWhichPositionIsWrong) {
  const SmallText text("GATTACATTA", 0, 0);
  const auto interval = fm_index::testing::BruteForce(text.text).interval("ATTA");
  const auto why = [&](std::vector<u32> positions, u64 most_hits = 0) {
    return why_wrong(text.codes, text.suffixes, interval, most_hits, "ATTA", positions);
  };
  EXPECT_EQ(why({6, 1}), "");
  EXPECT_THAT(why({1}), HasSubstr("expected 2 of 2 positions, found 1"));
  EXPECT_THAT(why({1, 1}), HasSubstr("expected position 6, found 1"));
  EXPECT_THAT(why({1, 7}), HasSubstr("expected position 6, found 7"));
  EXPECT_THAT(why({1, 6}, 1), HasSubstr("expected 1 of 2"));
  EXPECT_EQ(why({6}, 1), "");  // its row is the first: ATTA$ before ATTACA
  EXPECT_THAT(why({1}, 1), HasSubstr("expected position 6"));
  // An interval that is wrong itself is found by the letters.
  EXPECT_THAT(why_wrong(text.codes, text.suffixes, interval, 0, "ATTC", std::vector<u32>{1, 6}),
              HasSubstr("other letters"));
}

}  // namespace
}  // namespace gpuseq::fm_locate
