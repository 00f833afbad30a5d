#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/phases/search/replay.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/phases/search/spaces.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using testing::candidates_of;
using testing::index_space;
using testing::KnownSpace;

const KnownSpace& space() {
  static const KnownSpace known = index_space();
  return known;
}

const Candidates& candidates() {
  static const Candidates found = candidates_of(space().keys);
  return found;
}

/// The share of the best that is found with so many evaluations, the median of 20 seeds.
double found_with(const Strategy& strategy, std::size_t evaluations) {
  return testing::found_by(strategy, candidates(), space().scores, evaluations);
}

class EveryStrategy : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, EveryStrategy, ::testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const NamedStrategy& one : strategies()) names.emplace_back(one.name);
                           return names;
                         }()),
                         [](const auto& name) { return name.param; });

KnownSpace small_space() {
  KnownSpace small = space();
  small.keys.resize(60);
  small.scores.resize(60);
  return small;
}

TEST_P(EveryStrategy, TriesEveryCandidateOnceAndThenNothing) {
  const KnownSpace small = small_space();
  const Candidates few = candidates_of(small.keys);
  const auto strategy = make_strategy(GetParam());
  std::vector<Tried> tried;
  std::set<std::size_t> seen;
  while (const auto next = strategy->next(few, tried, 7)) {
    EXPECT_TRUE(seen.insert(*next).second) << *next;
    tried.push_back({*next, small.scores[*next]});
    ASSERT_LE(tried.size(), few.size());
  }
  EXPECT_EQ(seen.size(), few.size());
}

TEST_P(EveryStrategy, GoesOnAsIfItHadNotBeenInterrupted) {
  const KnownSpace small = small_space();
  const Candidates few = candidates_of(small.keys);
  std::vector<Tried> tried;
  for (int i = 0; i < 25; ++i) {
    const std::size_t next = *make_strategy(GetParam())->next(few, tried, 7);
    EXPECT_EQ(*make_strategy(GetParam())->next(few, tried, 7), next);
    tried.push_back({next, small.scores[next]});
  }
}

TEST_P(EveryStrategy, GoesOnWhereAllThatItTriedFailed) {
  const Candidates few = candidates_of(small_space().keys);
  const std::vector<std::optional<double>> none(few.size());
  EXPECT_EQ(replay(*make_strategy(GetParam()), few, none, 30, 1), std::vector<double>(30, 0.0));
}

TEST_P(EveryStrategy, FindsTheBestOfASpaceOfOne) {
  const std::vector keys{space().keys.front()};
  const std::vector<std::optional<double>> scores{5.0};
  EXPECT_EQ(replay(*make_strategy(GetParam()), candidates_of(keys), scores, 10, 1), std::vector<double>{5.0});
}

TEST(Strategies, AModelFindsTheBestWithinThreePercentByATwentiethOfTheSpace) {
  EXPECT_GT(found_with(*make_guided(), space().keys.size() / 20), 0.97);
}

/// The seconds until a search is within 5 % of the best where a launch of the slower variant takes 100 times
/// as long, the median of 20 seeds.
/// @param told  whether the search has the time of each measurement
double seconds_until_near_best(bool told) {
  std::vector<double> all;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<Tried> tried;
    double best = 0, seconds = 0;
    while (best < 0.95 * space().best()) {
      const std::size_t next = make_guided()->next(candidates(), tried, seed).value();
      const double took = space().keys[next].variant == space().keys.front().variant ? 10 : 0.1;
      tried.push_back({next, space().scores[next], told ? took : 0});
      best = std::max(best, space().scores[next].value_or(0));
      seconds += took;
    }
    all.push_back(seconds);
  }
  return results::median(all);
}

TEST(Strategies, AModelSpendsLittleTimeOnWhatIsSlowToMeasure) {
  EXPECT_LT(seconds_until_near_best(true), 0.7 * seconds_until_near_best(false));
}

/// The expected score of every candidate: its score to the power of `trust`, which -1 turns round.
std::vector<std::optional<double>> expectations(double trust) {
  std::vector<std::optional<double>> expected;
  for (const std::optional<double>& score : space().scores)
    expected.push_back(score ? std::optional(std::pow(*score, trust)) : std::nullopt);
  return expected;
}

TEST(Strategies, AModelBeginsWithWhatIsExpectedToBeBest) {
  Candidates known = candidates();
  known.expected = expectations(1);
  EXPECT_EQ(replay(*make_guided(), known, space().scores, 1, 1).front(), space().best());
  known.expected.front() = 1e30;  // and not points without a better expectation
  EXPECT_EQ(make_guided()->next(known, {}, 1), std::size_t{0});
}

TEST(Strategies, AModelCorrectsWhatWasExpectedByWhatIsMeasured) {
  Candidates misled = candidates();
  misled.expected = expectations(-1);
  EXPECT_GT(testing::found_by(*make_guided(), misled, space().scores, misled.size() / 20), 0.9);
}

/// A variant of 20 000 points, and one of 60 that is three times as fast at its best and slower at its ends.
KnownSpace space_of_a_vast_and_a_small_variant() {
  KnownSpace known;
  Random random(5);
  for (std::int64_t i = 0; i < 20'000; ++i) {
    known.keys.push_back({"toy",
                          "vast",
                          {{"size", 1}},
                          {{"k", i % 4}, {"d", i / 4 % 10}, {"lanes", i / 40 % 10}, {"block", i / 400}},
                          "cpu"});
    known.scores.push_back(0.8 + 0.2 * random.uniform());
  }
  for (std::int64_t k = 8; k < 18; ++k)
    for (std::int64_t lanes = 0; lanes < 6; ++lanes) {
      known.keys.push_back({"toy", "small", {{"size", 1}}, {{"k", k}, {"lanes", lanes}}, "cpu"});
      known.scores.push_back(3 * std::exp(-0.3 * std::abs(static_cast<double>(k) - 13)));
    }
  return known;
}

TEST(Strategies, AModelFindsASmallVariantNextToAVastOne) {
  const KnownSpace known = space_of_a_vast_and_a_small_variant();
  EXPECT_GT(testing::found_by(*make_guided(), candidates_of(known.keys), known.scores, 15), 0.95);
}

TEST(Strategies, ThatLearnFindMoreThanChanceDoes) {
  const std::size_t evaluations = space().keys.size() / 20;
  const double chance = found_with(*make_random(), evaluations);
  for (const char* name : {"greedy", "annealing", "genetic", "guided"})
    EXPECT_GT(found_with(*make_strategy(name), evaluations), chance) << name;
}

TEST(Strategies, OfAnUnknownNameAreAnErrorThatNamesThoseThereAre) {
  expect_error_text([] { make_strategy("lucky"); });
}

}  // namespace
}  // namespace gpuseq::bench
