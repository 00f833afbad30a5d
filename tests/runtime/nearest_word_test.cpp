#include "runtime/contract/nearest_word.hpp"

#include <gtest/gtest.h>

#include "tests/golden_text.hpp"

namespace gpuseq {
namespace {

const std::vector<std::string_view> kWords{"run", "plan", "probe", "report", "machine", "full_cooperative"};

TEST(NearestWord, IsWhatDiffersByASlipOfTheFingers) {
  EXPECT_EQ(nearest_word("plann", kWords), "plan");
  EXPECT_EQ(nearest_word("pln", kWords), "plan");
  EXPECT_EQ(nearest_word("reprot", kWords), "report");
  EXPECT_EQ(nearest_word("mahcine", kWords), "machine");
  EXPECT_EQ(nearest_word("fullcooperative", kWords), "full_cooperative");
  EXPECT_EQ(nearest_word("ful_coperative", kWords), "full_cooperative");
}

TEST(NearestWord, IsNoneWhereNoneIsNear) {
  EXPECT_EQ(nearest_word("gate", kWords), "");
  EXPECT_EQ(nearest_word("", kWords), "");
  EXPECT_EQ(nearest_word("x", kWords), "");
  EXPECT_EQ(nearest_word(std::string(100000, 'a'), kWords), "");
  EXPECT_EQ(nearest_word("run", {}), "");
  EXPECT_EQ(nearest_word("k", {"d"}), "");
}

TEST(NearestWord, IsSaidBehindAMessage) {
  expect_text(did_you_mean("plann", kWords));
  EXPECT_EQ(did_you_mean("zebra", kWords), "");
}

}  // namespace
}  // namespace gpuseq
