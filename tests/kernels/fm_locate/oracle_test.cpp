#include "kernels/fm_locate/oracle.hpp"

#include <gtest/gtest.h>

#include "tests/golden_text.hpp"
#include "tests/kernels/fm_locate/small_texts.hpp"

namespace gpuseq::fm_locate {
namespace {

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
  expect_text(why({1}));
  expect_text(why({1, 1}));
  expect_text(why({1, 7}));
  expect_text(why({1, 6}, 1));
  EXPECT_EQ(why({6}, 1), "");  // its row is the first: ATTA$ before ATTACA
  expect_text(why({1}, 1));
  // An interval that is wrong itself is found by the letters.
  expect_text(why_wrong(text.codes, text.suffixes, interval, 0, "ATTC", std::vector<u32>{1, 6}));
}

}  // namespace
}  // namespace gpuseq::fm_locate
