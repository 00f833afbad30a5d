#include "bench/phases/search/candidates.hpp"

#include <gmock/gmock.h>

#include "tests/bench/phases/search/spaces.hpp"

namespace gpuseq::bench {
namespace {

using testing::candidates_of;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

results::StateKey key(std::string variant, Point point) {
  return {"toy", std::move(variant), {}, std::move(point), "cpu"};
}

TEST(Candidates, HaveRanksOfNumbersAndNumbersOfWords) {
  const Candidates found =
      candidates_of(std::vector{key("a", {{"d", 64}, {"layout", "x"}}),
                                key("a", {{"d", 448}, {"layout", "y"}}), key("b", {{"d", 192}})});
  ASSERT_EQ(found.features.size(), 3u);
  EXPECT_FALSE(found.features[0].ordered);  // the variant
  EXPECT_TRUE(found.features[1].ordered);
  EXPECT_FALSE(found.features[2].ordered);
  EXPECT_THAT(found.coordinates[0], ElementsAre(0, 0, 0));
  EXPECT_THAT(found.coordinates[1], ElementsAre(0, 1, 1));
  EXPECT_THAT(found.coordinates[2], ElementsAre(1, 0.5, kNoCoordinate));
  EXPECT_EQ(found.differences(0, 1), 2u);
}

TEST(Candidates, AreNeighboursIfOneFeatureDiffersOrOnlyTheVariant) {
  const Candidates found = candidates_of(std::vector{
      key("a", {{"d", 64}, {"k", 1}}), key("a", {{"d", 128}, {"k", 1}}), key("a", {{"d", 128}, {"k", 2}}),
      key("b", {{"d", 64}, {"lanes", 4}}), key("b", {{"d", 128}, {"lanes", 4}})});
  EXPECT_THAT(neighbours_of(found, 0), UnorderedElementsAre(1, 3));
  EXPECT_THAT(neighbours_of(found, 1), UnorderedElementsAre(0, 2, 4));
}

TEST(Candidates, OfOneValueEachDifferInNothing) {
  const Candidates found = candidates_of(std::vector{key("a", {{"d", 64}})});
  EXPECT_THAT(found.coordinates[0], ElementsAre(0, 0));
  EXPECT_TRUE(neighbours_of(found, 0).empty());
}

}  // namespace
}  // namespace gpuseq::bench
