#include "bench/phases/search/search.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "runtime/contract/unsupported.hpp"
#include "tests/bench/records.hpp"
#include "tests/bench/vast_toys.hpp"

namespace gpuseq::bench {
namespace {

using testing::VastFamily;

std::vector<State> planned(const std::vector<std::string>& devices, int problems) {
  std::vector<State> states;
  for (int size = 0; size < problems; ++size)
    for (const std::string& device : devices)
      for (const std::int64_t k : {1, 2, 3, 4})
        for (const std::int64_t d : {64, 128, 192})
          states.push_back({.key = {"toy", "a", {{"size", size}}, {{"k", k}, {"d", d}}, device},
                            .kind = "kernel",
                            .phase = "sweep"});
  return states;
}

results::Record measured(const State& state, double seconds) {
  return testing::ok_record(state.key, state.kind, "sweep", {100, "toys"}, {seconds, seconds});
}

/// Measures the points that the search asks for until it asks for none: the larger k, the faster.
std::vector<results::Record> searched(const Search& search) {
  std::vector<results::Record> records;
  for (auto states = search.next(records); !states.empty(); states = search.next(records))
    for (const State& state : states)
      records.push_back(measured(state, 1.0 / static_cast<double>(state.key.point.integer("k"))));
  return records;
}

TuneOptions options(std::string strategy, int evaluations) {
  TuneOptions tune;
  tune.strategy = std::move(strategy);
  tune.evaluations = evaluations;
  return tune;
}

TEST(Search, MeasuresSoManyPointsOfEveryContest) {
  const auto states = planned({"cpu", "cuda:0"}, 2);
  const Search search(states, options("random", 5), 1);
  EXPECT_EQ(search.evaluations(), 20u);
  std::map<std::string, std::set<std::string>> points;
  for (const results::Record& record : searched(search))
    EXPECT_TRUE(points[record.state.device + record.state.problem.to_string()]
                    .insert(record.state.point.to_string())
                    .second);
  ASSERT_EQ(points.size(), 4u);
  for (const auto& [contest, tried] : points) EXPECT_EQ(tried.size(), 5u) << contest;
}

TEST(Search, EndsOneProblemBeforeItBeginsTheNext) {
  const auto states = planned({"cpu", "cuda:0"}, 3);
  std::int64_t last = 0;
  for (const results::Record& record : searched(Search(states, options("guided", 6), 1))) {
    EXPECT_GE(record.state.problem.integer("size"), last);
    last = record.state.problem.integer("size");
  }
}

TEST(Search, OfMoreEvaluationsThanPointsMeasuresAll) {
  const auto states = planned({"cpu"}, 1);
  EXPECT_EQ(searched(Search(states, options("genetic", 1000), 1)).size(), states.size());
  EXPECT_EQ(searched(Search(states, options("greedy", 0), 1)).size(), states.size());
}

TEST(Search, TriesWhatItsBuildLacksLast) {
  auto states = planned({"cpu"}, 1);
  Variant variant;
  variant.space = SearchSpace({{.name = "k", .values = {1, 2, 3, 4}, .default_value = 1},
                               {.name = "d", .values = {64, 128, 192}, .default_value = 64}});
  variant.cost = [](const StateOutline& state) -> Cost {
    if (state.point.integer("d") != 64) throw NotCompiled("d=128");
    return {};
  };
  for (State& state : states) state.variant = &variant;
  for (const char* strategy : {"guided", "greedy", "random", "exhaustive"}) {
    const auto records = searched(Search(states, options(strategy, 6), 1));
    ASSERT_EQ(records.size(), 6u) << strategy;
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(records[i].state.point.integer("d"), 64) << strategy << " " << i;
  }
}

TEST(Search, ListsFirstPointsInTheirOrder) {
  const auto states = planned({"cpu", "cuda:0"}, 1);
  TuneOptions tune = options("guided", 5);
  tune.first = {{"a", {{"k", 3}, {"d", 128}}},
                {"a", {{"k", 9}, {"d", 64}}},  // not planned
                {"a", {{"k", 2}, {"d", 64}}}};
  std::vector<std::string> points;
  for (const State& state : Search(states, tune, 1).first())
    points.push_back(state.key.point.to_string() + " " + state.key.device);
  EXPECT_THAT(points,
              ::testing::ElementsAre("k=3,d=128 cpu", "k=3,d=128 cuda:0", "k=2,d=64 cpu", "k=2,d=64 cuda:0"));
}

/// A variant with layouts k and parameters d.
class FirstPoints : public ::testing::Test {
 protected:
  FirstPoints() {
    variant_.space = SearchSpace({{.name = "k", .values = {1, 2, 3, 4, 5, 6}, .default_value = 1},
                                  {.name = "d", .values = {64, 128, 192}, .default_value = 64}});
    for (State& state : states_) state.variant = &variant_;
    tune_.first = {};
    for (const std::int64_t k : {1, 2, 3, 4, 5, 6}) tune_.first.push_back({"a", {{"k", k}}});
  }
  static std::vector<State> planned_layouts() {
    std::vector<State> states;
    for (const std::int64_t k : {1, 2, 3, 4, 5, 6})
      for (const std::int64_t d : {64, 128, 192})
        states.push_back(
            {.key = {"toy", "a", {}, {{"k", k}, {"d", d}}, "cpu"}, .kind = "kernel", .phase = "sweep"});
    return states;
  }

  Variant variant_;
  std::vector<State> states_ = planned_layouts();
  TuneOptions tune_ = options("random", 100);
};

TEST_F(FirstPoints, LeadToParametersOfTheFastestFour) {
  const Search search(states_, tune_, 1);
  std::vector<results::Record> records;
  for (const State& state : search.first())
    records.push_back(measured(state, 1.0 / static_cast<double>(state.key.point.integer("k"))));
  ASSERT_EQ(records.size(), 6u);
  std::vector<std::int64_t> layouts;
  for (auto states = search.next(records); !states.empty(); states = search.next(records)) {
    layouts.push_back(states.front().key.point.integer("k"));
    records.push_back(measured(states.front(), 1));
  }
  ASSERT_EQ(layouts.size(), 12u) << "all points that were not first";
  EXPECT_TRUE(std::all_of(layouts.begin(), layouts.begin() + 8, [](std::int64_t k) { return k > 2; }));
  EXPECT_TRUE(std::all_of(layouts.begin() + 8, layouts.end(), [](std::int64_t k) { return k <= 2; }));
}

TEST(Search, BeginsWithThePointsThatAreExpectedToBeBest) {
  const auto states = planned({"cpu"}, 1);
  ExpectedRates expected;
  for (const State& state : states) expected[state.key.to_string()] = 1;
  expected[states[7].key.to_string()] = 3;
  const auto first = [&](TuneOptions tune) {
    return Search(states, tune, 1, expected).next({}).at(0).key.to_string();
  };
  EXPECT_EQ(first(options("guided", 4)), states[7].key.to_string());
  TuneOptions smallest = options("guided", 4);  // rates say nothing of memory
  smallest.objectives = {{.metric = "memory_bytes", .maximise = false}};
  EXPECT_EQ(first(smallest), Search(states, smallest, 1).next({}).at(0).key.to_string());
}

TEST(Search, GoesOnFromTheRecordsOfAnInterruptedOne) {
  const auto states = planned({"cpu"}, 2);
  const Search search(states, options("guided", 8), 3);
  const std::vector<results::Record> whole = searched(search);
  std::vector<results::Record> half(whole.begin(), whole.begin() + 9);
  const auto next = Search(states, options("guided", 8), 3).next(half);
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(next[0].key.to_string(), whole[9].state.to_string());
}

TEST(Search, CountsWhatFailedAsTried) {
  const auto states = planned({"cpu"}, 1);
  const Search search(states, options("random", 4), 1);
  std::vector<results::Record> records;
  int asked = 0;
  for (auto next = search.next(records); !next.empty(); next = search.next(records), ++asked) {
    records.push_back(measured(next[0], 1));
    records.back().status = results::Status::failed;
    records.back().statistics.reset();
    ASSERT_LT(asked, 10);
  }
  EXPECT_EQ(asked, 4);
}

TEST(Search, GoesToSmallerValuesWhereTheObjectiveIsToBeSmall) {
  const auto states = planned({"cpu"}, 1);
  TuneOptions tune = options("guided", 9);
  tune.objectives = {{.metric = "bits_per_base", .maximise = false}};
  const Search search(states, tune, 5);
  std::vector<results::Record> records;
  std::vector<std::int64_t> asked;
  for (auto next = search.next(records); !next.empty(); next = search.next(records)) {
    const std::int64_t k = next[0].key.point.integer("k");
    records.push_back(measured(next[0], 1));
    records.back().facts = {{"bits_per_base", std::pow(4.0, static_cast<double>(k))}};
    asked.push_back(k);
  }
  ASSERT_EQ(asked.size(), 9u);
  // None of three points of k = 1 is left for later than a point of k = 4 that a model could choose.
  EXPECT_EQ(std::ranges::count(asked, 1), 3);
}

TEST(Search, MeasuresOtherProgramsWhateverIsSearched) {
  auto states = planned({"cpu"}, 1);
  for (const char* name : {"x", "y"}) {
    State other = states.front();
    other.key.variant = name;
    other.kind = "tool";
    states.push_back(other);
  }
  const Search search(states, options("random", 3), 1);
  EXPECT_EQ(search.evaluations(), 5u);
  std::set<std::string> names;
  const std::vector<results::Record> records = searched(search);
  for (const results::Record& record : records) names.insert(record.state.variant);
  EXPECT_EQ(names, (std::set<std::string>{"a", "x", "y"}));
  EXPECT_EQ(records[2].state.variant, "a") << "other programs come last: they build indexes of their own";
}

/// A sample of the widest toys, and how fast a point is: the larger its values, the faster.
struct VastSearch {
  SelectedSpaces spaces;
  std::vector<State> sample;
  VastSearch() {
    const VastFamily family;
    const SearchSpace& wide = family.variant("wide").space;
    Restriction all;
    for (const Axis& axis : wide.axes()) all[axis.name] = axis.values;
    spaces["vast/wide"] = std::make_shared<const SelectedSpace>(wide, std::vector{all});
    Random random(1);
    for (const Point& point : spaces["vast/wide"]->sample(200, random))
      sample.push_back({.key = {"vast", "wide", {}, point, "cpu"}, .kind = "kernel", .phase = "sweep"});
  }
  static double rate_of(const State& state) {
    double sum = 1;
    for (const auto& [axis, value] : state.key.point.values())
      sum += static_cast<double>(std::get<std::int64_t>(value));
    return sum;
  }
  static std::vector<results::Record> searched(const Search& search,
                                               std::vector<results::Record> records = {}) {
    for (auto states = search.next(records); !states.empty(); states = search.next(records))
      for (const State& state : states) records.push_back(measured(state, 1 / rate_of(state)));
    return records;
  }
};

TEST(SearchOfASample, GoesOnToNeighboursThatTheSampleLacks) {
  const VastSearch vast;
  double best_of_sample = 0;
  for (const State& state : vast.sample)
    best_of_sample = std::max(best_of_sample, VastSearch::rate_of(state));
  for (const char* strategy : {"greedy", "annealing", "genetic", "guided", "random", "exhaustive"}) {
    const Search search(vast.sample, options(strategy, 120), 1, {}, vast.spaces);
    const std::vector<results::Record> records = VastSearch::searched(search);
    EXPECT_EQ(records.size(), 120u) << strategy;
    std::set<std::string> keys;
    double best = 0;
    for (const results::Record& record : records) {
      EXPECT_TRUE(vast.spaces.at("vast/wide")->contains(record.state.point)) << record.state.to_string();
      keys.insert(record.state.to_string());
      best = std::max(best, 1 / record.samples_s.front());
    }
    EXPECT_EQ(keys.size(), records.size()) << strategy;
    const std::string name = strategy;
    const bool climbs = name == "greedy" || name == "genetic" || name == "guided";
    EXPECT_TRUE(best > best_of_sample || !climbs) << strategy;
    EXPECT_TRUE(!search.beyond_plan(records).empty() || name == "exhaustive") << strategy;
  }
}

TEST(SearchOfASample, FollowsFromItsRecordsAlone) {
  const VastSearch vast;
  for (const char* strategy : {"greedy", "genetic", "guided", "random"}) {
    const Search search(vast.sample, options(strategy, 30), 5, {}, vast.spaces);
    const std::vector<results::Record> whole = VastSearch::searched(search);
    const std::vector<results::Record> half(whole.begin(), whole.begin() + 17);
    const Search other(vast.sample, options(strategy, 30), 5, {}, vast.spaces);
    EXPECT_EQ(other.next(half).at(0).key.to_string(), whole[17].state.to_string()) << strategy;
    EXPECT_EQ(search.next(half).at(0).key.to_string(), whole[17].state.to_string()) << strategy;
  }
}

TEST(Search, IsNoneWhereAllPointsAreMeasured) {
  EXPECT_TRUE(Search::takes_all({}));
  EXPECT_FALSE(Search::takes_all(options("exhaustive", 3)));
  EXPECT_FALSE(Search::takes_all(options("random", 0)));
}

}  // namespace
}  // namespace gpuseq::bench
