#include "bench/profile/store/profile_store.hpp"
#include "bench/profile/store/run_profiles.hpp"
#include "tests/bench/environment.hpp"
#include "tests/bench/lines.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// Runs that take the probes that their bounds need from this machine's profile.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
namespace fs = std::filesystem;
using results::Record;

constexpr std::size_t kNeeded = 5;  // probes of `touchy`: octaves from 64 KiB to 1 MiB

std::string config(const std::string& more) {
  return std::string("{\"name\": \"toys\", \"devices\": \"cpu\", ") + kSampling + more +
         R"(, "tune": {"remeasure": 0}, "families": {"toy": {"problems": [{}],
             "variants": {"touchy": {"speed": [1, 2]}}}}})";
}

class ProfilesRun : public ::testing::Test {
 protected:
  Result run_to(const std::string& name, std::vector<std::string> more = {},
                const std::string& in_config = "") {
    more.insert(more.begin(), {"--config", scratch_.write("toys.json", config(in_config)), "--output",
                               (scratch_ / name).string(), "--no-report"});
    return result_of(scratch_, "run", more);
  }
  /// A run whose spot check agrees: the toys are timed, and other work of this machine may disturb some.
  Result run_with_profile(const std::string& name, const std::vector<std::string>& more = {},
                          const std::string& in_config = "") {
    Result result{};
    for (int attempt = 0; attempt < 10; ++attempt) {
      fs::remove_all(scratch_ / name);
      result = run_to(name, more, in_config);
      if (profile_of(name).value("stands", nlohmann::json()) == "profile") break;
    }
    return result;
  }
  nlohmann::json profile_of(const std::string& name) const {
    return run_json(scratch_ / name)
        .value("profiles", nlohmann::json::object())
        .value("cpu", nlohmann::json::object());
  }
  std::vector<Record> of_kind(const std::string& name, const std::string& kind) const {
    std::vector<Record> found = records(scratch_ / name);
    std::erase_if(found, [&](const Record& record) { return record.kind != kind; });
    return found;
  }
  std::vector<std::string> sources(const std::string& name) const {
    std::vector<std::string> all;
    for (const Record& record : of_kind(name, "kernel"))
      all.push_back(!record.bound.value           ? record.bound.reason
                    : record.bound.value->profile ? "profile"
                                                  : "run");
    return all;
  }
  /// The one profile in the cache.
  fs::path profile_folder() const {
    for (const auto& entry : fs::directory_iterator(scratch_ / "cache" / "gpuseq-bench" / "profiles"))
      return entry.path();
    return {};
  }
  std::size_t points_of_profile() const {
    std::set<std::string> points;
    for (const Record& record : results::Journal::load(profile_folder() / "records.jsonl"))
      points.insert(record.state.to_string());
    return points.size();
  }

  Scratch scratch_;
};

TEST_F(ProfilesRun, TheFirstMeasuresItsProbesAndMakesAProfile) {
  ASSERT_EQ(run_to("first").code, 0);
  EXPECT_THAT(sources("first"), Each("run"));
  EXPECT_EQ(of_kind("first", "probe").size(), kNeeded);
  EXPECT_EQ(profile_of("first")["stands"], "run");
  expect_text(profile_of("first")["reason"].get<std::string>());
  EXPECT_EQ(points_of_profile(), kNeeded);
}

TEST_F(ProfilesRun, TheNextLooksAtSomePointsAndSaysOfItsBoundsThatTheyAreOfTheProfile) {
  ASSERT_EQ(run_to("first").code, 0);
  const Result result = run_with_profile("next");
  ASSERT_EQ(profile_of("next")["stands"], "profile") << result.out << result.err;
  EXPECT_THAT(sources("next"), Each("profile"));
  EXPECT_THAT(result.out, HasSubstr("bounds of cpu: 5 points from this machine's profile of 2"));
  const nlohmann::json profile = profile_of("next");
  EXPECT_EQ(profile["points"], kNeeded);
  EXPECT_EQ(profile["lacking"], 0);
  EXPECT_EQ(profile["spot_check"]["agrees"], true);
  const Record kernel = of_kind("next", "kernel").front();
  EXPECT_EQ(kernel.bound.value->profile->key, profile["key"]);
  EXPECT_EQ(kernel.bound.value->profile->made, profile["made"]);
  // Alone with its folder a reader can tell the source of the bound.
  EXPECT_GE(profile_records_of_run(scratch_ / "next").size(), kNeeded);
  expect_text(lines_with(result_of(scratch_, "validate", {scratch_ / "next"}).out, "of profiles"));
}

TEST_F(ProfilesRun, WhatAProfileLacksIsMeasuredAndAddedToIt) {
  ASSERT_EQ(run_to("first", {"--set", "probe_budget_s=0.4"}).code, 0);
  const std::size_t had = points_of_profile();
  ASSERT_LT(had, kNeeded);
  run_with_profile("next");
  EXPECT_EQ(points_of_profile(), kNeeded);
}

TEST_F(ProfilesRun, PointsThatTheBudgetDoesNotReachComeFromTheProfile) {
  ASSERT_EQ(run_to("first").code, 0);
  run_with_profile("next", {"--set", "probe_budget_s=0.4"});
  std::set<std::string> points;
  for (const Record& record : profile_records_of_run(scratch_ / "next"))
    points.insert(record.state.to_string());
  EXPECT_EQ(points.size(), kNeeded);
}

TEST_F(ProfilesRun, AProfileOfAMachineThatWasFasterIsRefusedAndRenewed) {
  ASSERT_EQ(run_to("first").code, 0);
  const std::string before = content(profile_folder() / "records.jsonl");
  const std::size_t first = before.find('\n') + 1;  // behind the provenance
  const Environment slower("TOY_TIMES", "20");
  const Result result = run_to("next");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(profile_of("next")["stands"], "run");
  EXPECT_THAT(profile_of("next")["reason"].get<std::string>(),
              HasSubstr("differ from this machine's profile"));
  EXPECT_THAT(result.err, HasSubstr("bounds of cpu: from probes of this run"));
  EXPECT_THAT(sources("next"), Each("run"));
  EXPECT_TRUE(profile_records_of_run(scratch_ / "next").empty());
  EXPECT_GE(of_kind("next", "probe").size(), kNeeded);
  EXPECT_EQ(content(profile_folder() / "records.jsonl")
                .find(before.substr(first, before.find('\n', first) - first)),
            std::string::npos);
  EXPECT_EQ(points_of_profile(), kNeeded);
}

TEST_F(ProfilesRun, ARunThatIsToMeasureItsOwnLooksAtNoProfile) {
  ASSERT_EQ(run_to("first").code, 0);
  ASSERT_EQ(run_to("own", {"--bounds-from", "run"}).code, 0);
  EXPECT_EQ(of_kind("own", "probe").size(), kNeeded);
  EXPECT_THAT(sources("own"), Each("run"));
  EXPECT_TRUE(profile_of("own").empty());
  ASSERT_EQ(run_to("in config", {}, R"(, "bounds_from": "run")").code, 0);
  EXPECT_EQ(of_kind("in config", "probe").size(), kNeeded);
}

TEST_F(ProfilesRun, ARunThatWantsAProfileEndsWhereNoneStands) {
  const Result none = run_to("none", {"--bounds-from", "profile"});
  EXPECT_EQ(none.code, 2);
  expect_text(none.err);
  ASSERT_EQ(run_to("first").code, 0);
  const Environment slower("TOY_TIMES", "20");
  const Result refused = run_to("refused", {"--bounds-from", "profile"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("differ from this machine's profile"));
  EXPECT_TRUE(of_kind("refused", "kernel").empty());
}

TEST_F(ProfilesRun, ADamagedProfileCostsItsProbesAndAWord) {
  ASSERT_EQ(run_to("first").code, 0);
  std::ofstream(profile_folder() / "records.jsonl", std::ios::app) << "half a rec";
  const Result result = run_to("next");
  EXPECT_EQ(result.code, 0);
  const std::string reason = profile_of("next")["reason"];
  expect_text(replaced(reason, profile_folder().filename(), "<card>"));
  EXPECT_NE(result.out.find(reason), std::string::npos) << result.out;
  EXPECT_THAT(sources("next"), Each("run"));
  EXPECT_EQ(points_of_profile(), kNeeded);
}

TEST_F(ProfilesRun, ProbesOfACommandThatRunsOnlyTheseAreMeasured) {
  ASSERT_EQ(run_to("first").code, 0);
  const Result result =
      result_of(scratch_, "probe",
                {"--config", scratch_.write("toys.json", config("")), "--output", scratch_ / "probes"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(of_kind("probes", "probe").size(), kNeeded);
}

TEST_F(ProfilesRun, GoOnWithWhatTheyTookWhateverBecomesOfTheCache) {
  ASSERT_EQ(run_to("first").code, 0);
  run_with_profile("next");
  ASSERT_EQ(profile_of("next")["stands"], "profile");
  const std::vector<Record> whole = records(scratch_ / "next");
  // As if it was killed when its first kernel was measured.
  scratch_.write("next/records.jsonl", results::lines_of(std::span(whole).first(whole.size() - 1)));
  fs::remove_all(scratch_ / "cache");
  ASSERT_EQ(run(scratch_, {"--resume", (scratch_ / "next").string(), "--no-report"}), 0);
  ASSERT_EQ(records(scratch_ / "next").size(), whole.size());
  EXPECT_THAT(sources("next"), Each("profile"));
  EXPECT_EQ(records(scratch_ / "next").back().bound.value->rate, whole.back().bound.value->rate);
  EXPECT_EQ(result_of(scratch_, "run", {"--resume", scratch_ / "next", "--bounds-from", "run"}).code, 2);
}

TEST_F(ProfilesRun, ARunOfBeforeThereWereProfilesGoesOnWithoutOne) {
  ASSERT_EQ(run_to("first").code, 0);
  ASSERT_EQ(run_to("old", {"--bounds-from", "run"}).code, 0);
  keep_records(scratch_ / "old/records.jsonl", 1);  // a probe
  nlohmann::ordered_json start = read_json(scratch_ / "old/run.json");
  start["config"].erase("bounds_from");
  start.erase("profiles");
  scratch_.write("old/run.json", start.dump());
  ASSERT_EQ(run(scratch_, {"--resume", (scratch_ / "old").string(), "--no-report"}), 0);
  EXPECT_EQ(of_kind("old", "probe").size(), kNeeded);
  EXPECT_THAT(sources("old"), Each("run"));
}

/// All of the profile is a thousand times too slow, as is the check; a kernel violates it.
TEST_F(ProfilesRun, WhatAKernelViolatesIsMeasuredAfreshAndGoesIntoTheProfile) {
  {
    const Environment slow("TOY_TIMES", "1000");
    const Environment asleep("TOY_ASLEEP", "0");
    // Its kernels violate the bounds as well: only probes make this profile.
    ASSERT_EQ(result_of(scratch_, "probe",
                        {"--config", scratch_.write("toys.json", config("")), "--output", scratch_ / "slow"})
                  .code,
              0);
  }
  // The first two sessions of a point, which the check has at most three of, are as slow.
  const Environment asleep("TOY_ASLEEP", "1");
  // An attempt whose check a busy machine fails makes a profile of its own, with which there is nothing to
  // violate.
  fs::copy(scratch_ / "cache", scratch_ / "kept", fs::copy_options::recursive);
  Result result{};
  for (int attempt = 0; attempt < 10; ++attempt) {
    fs::remove_all(scratch_ / "cache");
    fs::copy(scratch_ / "kept", scratch_ / "cache", fs::copy_options::recursive);
    fs::remove_all(scratch_ / "next");
    result = run_to("next");
    if (profile_of("next").value("stands", nlohmann::json()) == "profile") break;
  }
  ASSERT_EQ(profile_of("next")["stands"], "profile") << result.err;
  EXPECT_GT(of_kind("next", "probe").size(), profile_of("next")["check"].size());
  for (const Record& record : of_kind("next", "kernel")) {
    ASSERT_TRUE(record.bound.value);
    EXPECT_LT(record.bound.value->fraction, 1);
  }
  double best = 0;
  for (const Record& record : results::Journal::load(profile_folder() / "records.jsonl"))
    best = std::max(best, record.statistics->rate);
  EXPECT_GT(best, 1e8);
}

TEST_F(ProfilesRun, TheProfileOfThisMachineIsShownWithoutMeasuring) {
  const Result none = result_of(scratch_, "machine", {"--show", "--device", "cpu"});
  EXPECT_EQ(none.code, 1);
  expect_text(none.err);
  ASSERT_EQ(run_to("first").code, 0);
  const Result shown = result_of(scratch_, "machine", {"--show", "--device", "cpu"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, AllOf(HasSubstr("cpu: "), HasSubstr("profile of cpu: ")));
  EXPECT_EQ(result_of(scratch_, "machine", {"--show", scratch_ / "first"}).code, 2);
  EXPECT_EQ(result_of(scratch_, "machine", {"--show", "--renew"}).code, 2);
}

TEST_F(ProfilesRun, TheProfileOfARunLeavesOutWhatItTookOfAnotherAndSaysSo) {
  ASSERT_EQ(run_to("first").code, 0);
  run_with_profile("next");
  ASSERT_EQ(profile_of("next")["stands"], "profile");
  const Result result = result_of(scratch_, "machine", {scratch_ / "next"});
  expect_text(result.err.substr(result.err.find(' ')));  // behind the number of records
}

TEST_F(ProfilesRun, ShardsThatTookTheSameProfileMergeToOneRunWithItsRecords) {
  ASSERT_EQ(run_to("first").code, 0);
  for (const char* shard : {"1/2", "2/2"})
    run_with_profile(std::string("shard") + shard[0], {"--shard", shard});
  for (const char* shard : {"shard1", "shard2"}) ASSERT_EQ(profile_of(shard)["stands"], "profile");
  const Result merged =
      result_of(scratch_, "merge",
                {scratch_ / "shard1", scratch_ / "shard2", "--output", scratch_ / "merged", "--no-report"});
  ASSERT_EQ(merged.code, 0) << merged.err;
  EXPECT_THAT(sources("merged"), Each("profile"));
  std::set<std::string> lines;
  const std::vector<Record> taken = results::Journal::load(scratch_ / "merged" / "profile-records.jsonl");
  for (const Record& record : taken) lines.insert(results::to_json(record).dump());
  EXPECT_EQ(lines.size(), taken.size());
  EXPECT_EQ(run_json(scratch_ / "merged")["nodes"][0]["profiles"]["cpu"]["stands"], "profile");
}

}  // namespace
}  // namespace gpuseq::bench
