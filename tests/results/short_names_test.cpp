#include "results/names/short_names.hpp"

#include <gmock/gmock.h>

namespace gpuseq::results {
namespace {

StateKey state(Point problem, Point point, const std::string& variant = "simd") {
  return {"fm_index", variant, std::move(problem), std::move(point), "cpu"};
}

ShortNames names_of(const std::vector<StateKey>& states, const std::vector<std::string>& labels = {},
                    AxisDefaults defaults = {}) {
  std::vector<LabelledState> labelled;
  for (std::size_t i = 0; i < states.size(); ++i)
    labelled.push_back({&states[i], i < labels.size() ? labels[i] : ""});
  return ShortNames(labelled, std::move(defaults));
}

TEST(ShortNames, NameWhatVariesAmongTheStatesOfAVariant) {
  const std::vector<StateKey> states{
      state({{"bases", 100}}, {{"k", 1}, {"d", 64}, {"threads", 0}}),
      state({{"bases", 100}}, {{"k", 2}, {"d", 64}, {"threads", 0}}),
      state({{"bases", 100}}, {{"k", 2}, {"d", 64}, {"threads", 1}}, "scalar")};
  const ShortNames names = names_of(states);
  EXPECT_EQ(names.of(states[0]), "fm_index/simd/k=1/cpu");
  EXPECT_EQ(names.of(states[1]), "fm_index/simd/k=2/cpu");
  EXPECT_EQ(names.of(states[2]), "fm_index/scalar/cpu");
}

TEST(ShortNames, NameWhatDiffersFromItsDefaultAlthoughItNeverVaries) {
  const std::vector<StateKey> states{state({}, {{"k", 1}, {"d", 64}, {"threads", 1}})};
  const ShortNames names =
      names_of(states, {}, {.variants = {{"fm_index/simd", {{"k", 1}, {"d", 64}, {"threads", 0}}}}});
  EXPECT_EQ(names.of(states[0]), "fm_index/simd/threads=1/cpu");
}

TEST(ShortNames, HaveTheLabelOfTheProblemOnceARecordOfItHasOne) {
  const std::vector<StateKey> states{state({{"bases", 100}}, {{"k", 1}}), state({{"bases", 100}}, {{"k", 2}}),
                                     state({{"bases", 200}}, {{"k", 1}})};
  const ShortNames names = names_of(states, {"", "ecoli, 100 bases"});
  EXPECT_EQ(names.of(states[0]), "fm_index/simd/ecoli, 100 bases/k=1/cpu");
  EXPECT_EQ(names.problem(states[1]), "ecoli, 100 bases");
  EXPECT_EQ(names.of(states[2]), "fm_index/simd/k=1/cpu");
}

TEST(ShortNames, TellProblemsOfOneLabelApart) {
  const std::vector<StateKey> states{state({{"bases", 100}, {"seed", 1}}, {}),
                                     state({{"bases", 100}, {"seed", 2}}, {})};
  const ShortNames names = names_of(states, {"ecoli", "ecoli"});
  EXPECT_EQ(names.problem(states[0]), "ecoli (seed=1)");
  EXPECT_EQ(names.problem(states[1]), "ecoli (seed=2)");
}

TEST(ShortNames, LeaveOutWhatIsAsUsualWhereAPointWouldBeLong) {
  std::vector<StateKey> states;
  for (const char* order : {"breadth_first", "depth_first"})
    for (const char* memory : {"global_memory_of_the_device", "texture_memory_of_this_very_device"})
      states.push_back(state({}, {{"node_order", std::string(order)}, {"memory", std::string(memory)}}));
  const AxisDefaults defaults{.variants = {{"fm_index/simd",
                                            {{"node_order", std::string("depth_first")},
                                             {"memory", std::string("global_memory_of_the_device")}}}}};
  const ShortNames names = names_of(states, {}, defaults);
  EXPECT_EQ(names.point(states[0]), "node_order=breadth_first");
  EXPECT_EQ(names.point(states[1]), "node_order=breadth_first,memory=texture_memory_of_this_very_device");
  EXPECT_EQ(names.point(states[2]), "");
  EXPECT_EQ(names.point(states[3]), "memory=texture_memory_of_this_very_device");
}

TEST(ShortNames, AreTheKeysWhereTwoStatesWouldHaveOneName) {
  // Labels are arbitrary words.
  const std::vector<StateKey> states{state({{"bases", 100}}, {}), state({{"bases", 200}}, {{"k", 1}})};
  const ShortNames names =
      names_of(states, {"ecoli/k=1", "ecoli"}, {.variants = {{"fm_index/simd", {{"k", 2}}}}});
  EXPECT_EQ(names.of(states[0]), states[0].to_string());
  EXPECT_EQ(names.of(states[1]), states[1].to_string());
}

TEST(ShortNames, NameAStateThatTheyWereNotMadeOfByWhatSetsItApart) {
  const std::vector<StateKey> states{state({}, {{"k", 1}, {"d", 64}}), state({}, {{"k", 2}, {"d", 64}})};
  const ShortNames names = names_of(states);
  EXPECT_EQ(names.of(state({}, {{"k", 1}, {"d", 192}})), "fm_index/simd/k=1,d=192/cpu");
  EXPECT_EQ(names.of(state({}, {{"k", 1}}, "scalar")), "fm_index/scalar/k=1/cpu");
}

TEST(AxisDefaults, AreWhatWasWrittenOfThem) {
  const AxisDefaults defaults{
      .problems = {{"fm_index", {{"reference", std::string("random")}}}},
      .variants = {{"fm_index/simd", {{"k", 2}}}, {"latency/cpu", {{"pages", std::string("huge")}}}}};
  const AxisDefaults read = AxisDefaults::from_json(defaults.to_json());
  EXPECT_EQ(read.problems, defaults.problems);
  EXPECT_EQ(read.variants, defaults.variants);
}

TEST(AxisDefaults, KeepAnAxisThatOthersDoNotHaveYet) {
  AxisDefaults newer{.problems = {{"fm_index", {{"query_bases", 100}, {"kmer_bases", 0}}}},
                     .variants = {{"fm_index/simd", {{"k", 2}, {"d", 64}}}}};
  newer.update(
      {.problems = {{"fm_index", {{"query_bases", 36}}}}, .variants = {{"fm_index/simd", {{"k", 1}}}}});
  EXPECT_EQ(newer.problems["fm_index"], (Point{{"query_bases", 36}, {"kmer_bases", 0}}));
  EXPECT_EQ(newer.variants["fm_index/simd"], (Point{{"k", 1}, {"d", 64}}));
}

TEST(AxisDefaults, LeaveOutWhatIsNotOfTheirForm) {
  for (const char* text : {"null", "[1]", R"({"a": 1})", R"({"a": {"variants": [1], "problem": 2}})",
                           R"({"a": {"variants": {"b": {"k": 1.5, "d": null}}}})"}) {
    const AxisDefaults read = AxisDefaults::from_json(nlohmann::json::parse(text));
    for (const auto& [variant, point] : read.variants) EXPECT_EQ(point, Point()) << text;
  }
}

}  // namespace
}  // namespace gpuseq::results
