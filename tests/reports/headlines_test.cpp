#include "reports/headlines.hpp"

#include <gmock/gmock.h>

namespace gpuseq::reports {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

json winner(const char* device, const char* variant, double rate) {
  return {{"family", "fm_index"},
          {"problem", {{"reference", "ecoli"}, {"query_bases", 100}}},
          {"problem_label", "ecoli, 4.94 Mbases, queries of 100 bases"},
          {"device", device},
          {"objective", {{"metric", "rate"}, {"direction", "max"}}},
          {"variant", variant},
          {"point", {{"k", 2}, {"d", 64}}},
          {"rate", rate},
          {"rate_low", 0.99 * rate},
          {"rate_high", 1.01 * rate},
          {"samples", 20},
          {"rate_unit", "query bases/s"},
          {"fraction_of_bound", 0.891},
          {"bound_by", "DRAM"},
          {"runners_up", {{{"variant", variant}, {"point", {{"k", 1}, {"d", 64}}}, {"rate", rate / 2}}}}};
}

json run_with(std::vector<json> winners) {
  json run{{"devices", {{"cuda:0", {{"name", "NVIDIA H200"}}}, {"cpu", {{"name", "AMD EPYC"}}}}}};
  run["tuned"] = std::move(winners);
  return run;
}

std::string only_sentence(const json& run) {
  const auto all = headlines(run);
  return all.size() == 1 ? all.front().sentence : "";
}

std::vector<std::string> only_caveats(json one) {
  return headlines(run_with({std::move(one)})).front().caveats;
}

TEST(Headlines, SayWhoIsFastestHowNearItsCeilingAndByHowMuchTheOthersAreSlower) {
  EXPECT_EQ(only_sentence(run_with({winner("cpu", "simd", 1.2e9), winner("cuda:0", "one_hot", 3.16e11)})),
            "ecoli, 4.94 Mbases, queries of 100 bases: the GPU reaches 316 G query bases a second (one_hot, "
            "k = 2), "
            "89 % of what DRAM allows; the CPU 1.2 G (simd, k = 2), 260 times less.");
}

TEST(Headlines, NameGpusOfSeveralModels) {
  json run = run_with({winner("cuda:0", "a", 3e9), winner("cuda:1", "a", 2.9e9)});
  run["devices"]["cuda:1"] = {{"name", "NVIDIA H100"}};
  const std::string sentence = only_sentence(run);
  EXPECT_THAT(sentence, HasSubstr("NVIDIA H200 reaches 3 G"));
  EXPECT_THAT(sentence, HasSubstr("NVIDIA H100 2.9 G (a, k = 2), about as much."));
}

TEST(Headlines, HaveASentenceAProblemAndTellProblemsOfOneLabelApart) {
  json other = winner("cpu", "simd", 2e9);
  other["problem"]["query_bases"] = 50;
  const auto all = headlines(run_with({winner("cpu", "simd", 1e9), other}));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_THAT(all[0].sentence, HasSubstr("queries of 100 bases (query_bases=100): the CPU"));
  EXPECT_THAT(all[1].sentence, HasSubstr("(query_bases=50)"));
}

TEST(Headlines, NameTheFamilyWhereThereAreSeveral) {
  json other = winner("cpu", "striped", 2e9);
  other["family"] = "profile_hmm";
  const auto all = headlines(run_with({winner("cpu", "simd", 1e9), other}));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_THAT(all[0].sentence, StartsWith("fm_index, ecoli, 4.94 Mbases"));
  EXPECT_THAT(all[1].sentence, StartsWith("profile_hmm, ecoli"));
}

TEST(Headlines, SayThreadsInWords) {
  json one = winner("cpu", "simd", 2e9);
  one["point"]["threads"] = 0;
  one["runners_up"][0]["point"]["threads"] = 1;
  EXPECT_THAT(only_sentence(run_with({one})), HasSubstr("(simd, k = 2, all threads)"));
}

TEST(Headlines, SayWhatAUserHoldsWhereTheRunKnows) {
  json one = winner("cpu", "simd", 1e9);
  EXPECT_THAT(only_sentence(run_with({one})), Not(HasSubstr("held")));
  one["memory"] = {{"bytes", 158 << 20}};
  EXPECT_THAT(only_sentence(run_with({one})), HasSubstr("(simd, k = 2; 158 MiB held)"));
}

TEST(Headlines, SayWhatAUserWaitsForAndWhatTheRunSaysOfOtherSizes) {
  json gpu = winner("cuda:0", "one_hot", 3e11), cpu = winner("cpu", "simd", 1e9);
  gpu["waits"] = {{"total_s", 0.336}, {"parts", {{"index", 0.3}, {"kernel", 0.001}}}};
  cpu["waits"] = {{"total_s", 0.212}, {"parts", {{"index", 0.1}, {"kernel", 0.1}}}};
  json run = run_with({gpu, cpu});
  run["sizes"] = {{{"family", "fm_index"},
                   {"problem_label", gpu["problem_label"]},
                   {"sentences", {"Below 9 000 reads a batch the CPU is faster."}}},
                  {{"family", "fm_index"}, {"problem_label", "another"}, {"sentences", {"No."}}}};
  EXPECT_THAT(
      headlines(run).front().remarks,
      ElementsAre("With files, index, transfers and output a user waits: the GPU 336 ms (mostly index); "
                  "the CPU 212 ms.",
                  "Below 9 000 reads a batch the CPU is faster."));
}

TEST(Headlines, OfAnotherObjectiveGiveItsValue) {
  json one = winner("cuda:0", "simd", 1e9);
  one["objective"]["metric"] = "work_per_joule";
  one["score"] = 4.1e8;
  EXPECT_THAT(only_sentence(run_with({one})), HasSubstr("the GPU comes to 410 M query bases a joule"));
}

TEST(Caveats, AreNoneOfASoundNumber) {
  EXPECT_THAT(only_caveats(winner("cpu", "simd", 1e9)), IsEmpty());
}

TEST(Caveats, SayFewSamplesAWideIntervalAndARefutedCeiling) {
  json one = winner("cpu", "simd", 1e9);
  one["samples"] = 2;
  one["rate_low"] = 0.6e9;
  one["fraction_of_bound"] = 1.25;
  EXPECT_THAT(
      only_caveats(one),
      ElementsAre(
          "The rate of the CPU comes from 2 samples, too few for an interval.",
          "The rate of the CPU is uncertain: 600 M to 1.01 G.",
          "The rate of the CPU is above its ceiling, 125 % of what DRAM allows: the ceiling is too low."));
  EXPECT_THAT(only_sentence(run_with({one})), Not(HasSubstr("125 %")));  // no share of what is none
}

TEST(Caveats, SayThatAProblemDoesNotFillItsDevice) {
  json one = winner("cuda:0", "simd", 1e9);
  one["fills_device"] = {{"fills", true}};
  EXPECT_THAT(only_caveats(one), IsEmpty());
  one["fills_device"] = {{"fills", false}, {"reason", "32 of 132 multiprocessors have work"}};
  EXPECT_THAT(only_caveats(one),
              ElementsAre("The problem is too small to fill the GPU: 32 of 132 multiprocessors have work."));
}

TEST(Caveats, NameTheOthersOfATie) {
  json one = winner("cpu", "simd", 1e9);
  one["tied_with"] = json::array();
  EXPECT_THAT(only_caveats(one), IsEmpty());
  one["tied_with"] = {{{"variant", "tree"}, {"point", {{"k", 4}}}}, {{"variant", "scalar"}}};
  EXPECT_THAT(
      only_caveats(one),
      ElementsAre("A tie on the CPU: the race did not tell the winner apart from tree (k=4); scalar."));
}

TEST(Caveats, DoNotCallRoundsOfFewSamplesTooFew) {
  json one = winner("cpu", "simd", 1e9);
  one["samples"] = 3;
  one["confidence"] = 0.95;
  EXPECT_THAT(only_caveats(one), IsEmpty());
}

TEST(RunCaveats, SayWhichProblemsHaveNoWinner) {
  json run = run_with({});
  run["no_rate"] = {{{"family", "fm_index"},
                     {"problem", {{"size", 1}}},
                     {"problem_label", ""},
                     {"device", "cpu"},
                     {"reason", "a launch does 0 toys, which is no rate above 0"}}};
  EXPECT_THAT(run_caveats(run),
              ElementsAre("No winner of fm_index on cpu, size=1: a launch does 0 toys, which is "
                          "no rate above 0."));
}

TEST(RunCaveats, SayLoadFromElsewhereAndDisturbedProbes) {
  json run = run_with({});
  run["host_load"] = {{"steal_share", 0.001}, {"others_share", 0.121}};
  run["probe_points"] = {{"cpu", {{"measured", 40}, {"disturbed", {"a", "b", "c"}}}},
                         {"cuda:0", {{"measured", 9}, {"disturbed", json::array()}}}};
  run["budget"] = {{"seconds", 120}, {"cut", {{{"what", "winners measured again"}, {"states", 4}}}}};
  EXPECT_THAT(run_caveats(run),
              ElementsAre(HasSubstr("other processes took 12 % of the processors' time"),
                          "Not measured, because the budget ended: 4 of winners measured again.",
                          HasSubstr("3 of 40 probe points of AMD EPYC")));
}

TEST(Headlines, TakeRunsOfWhateverShape) {
  for (const json& run : {json(), json(3), json{{"tuned", 1}}, json{{"tuned", {1, nullptr, {{"rate", "x"}}}}},
                          json{{"tuned", {{{"rate", 1}, {"problem", 2}, {"point", 3}, {"runners_up", 4}}}}},
                          json{{"probe_points", {{"cpu", 1}}}, {"host_load", 2}}}) {
    EXPECT_LE(headlines(run).size(), 1u) << run;
    EXPECT_THAT(run_caveats(run), IsEmpty()) << run;
  }
}

}  // namespace
}  // namespace gpuseq::reports
