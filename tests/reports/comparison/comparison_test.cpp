#include "reports/comparison/comparison.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/contract/errors.hpp"
#include "tests/reports/comparison/comparison_sides.hpp"

namespace gpuseq::comparison {
namespace {

using example::one_process;
using example::processes;
using example::record;
using example::state;
using example::without_number;
using results::Status;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

Comparison compared(const Side& base, const Side& next, CompareOptions options = {}) {
  return compare(base, next, options);
}

TEST(Compare, FindsWhatIsSlowerFasterAndTheSame) {
  const Comparison found = compared(processes({{"scalar", 1}, {"simd", 1}, {"prefetch", 1}}, 1),
                                    processes({{"scalar", 1.1}, {"simd", 0.9}, {"prefetch", 1}}, 2));
  EXPECT_EQ(state(found, "scalar").verdict, Verdict::regressed);
  EXPECT_NEAR(state(found, "scalar").ratio, 1.1, 0.01);
  EXPECT_EQ(state(found, "simd").verdict, Verdict::improved);
  EXPECT_EQ(state(found, "prefetch").verdict, Verdict::same);
  EXPECT_EQ(state(found, "prefetch").unit, "process");
  EXPECT_EQ(state(found, "prefetch").base_units, 8u);
  EXPECT_NEAR(state(found, "scalar").base_rate / state(found, "scalar").new_rate, 1.1, 0.01);
  EXPECT_EQ(found.states.front().state.variant, "scalar") << "worst first";
  EXPECT_EQ(exit_code(found), 1);
}

TEST(Compare, TakesAStateOfBeforeAnAxisWasThereForTheOneWithItsDefault) {
  const Side base = processes({{"scalar", 1}}, 1);
  Side next = processes({{"scalar", 1.1}}, 2);
  for (auto& process : next.processes) {
    process.front().state.problem.set("query_order", std::string("as_given"));
    process.front().state.point.set("early_exit", std::string("none"));
    ComparedRecord sorted = process.front();
    sorted.state.problem.set("query_order", std::string("sorted"));
    process.push_back(std::move(sorted));
  }
  EXPECT_EQ(compared(base, next).count(Verdict::missing), 1u) << "without a run.json nobody knows";
  next.defaults.problems["fm_index"] = {{"query_order", std::string("as_given")}};
  next.defaults.variants["fm_index/scalar"] = {{"early_exit", std::string("none")}};
  const Comparison found = compared(base, next);
  ASSERT_EQ(found.states.size(), 2u);
  EXPECT_EQ(found.count(Verdict::missing), 0u);
  EXPECT_EQ(found.count(Verdict::regressed), 1u);
  EXPECT_EQ(found.count(Verdict::added), 1u);
}

TEST(Compare, DoesNotCallASlowdownWithinTheSmallestEffectARegression) {
  const Side base = processes({{"scalar", 1}}, 1), next = processes({{"scalar", 1.05}}, 2);
  EXPECT_EQ(compared(base, next, {.min_effect = 0.1}).states[0].verdict, Verdict::same);
  EXPECT_EQ(compared(base, next, {.min_effect = 0.02}).states[0].verdict, Verdict::regressed);
}

TEST(Compare, IsInconclusiveWhereTheBaseDiffersAsMuchFromItself) {
  const Comparison found =
      compared(processes({{"scalar", 1}}, 1, 8, 0.2), processes({{"scalar", 1.08}}, 2, 8, 0.2));
  const StateComparison& scalar = found.states[0];
  EXPECT_EQ(scalar.verdict, Verdict::inconclusive);
  EXPECT_GT(scalar.noise_floor, 0.03);
  EXPECT_EQ(scalar.threshold, scalar.noise_floor);
  EXPECT_THAT(scalar.reason, AllOf(HasSubstr("noise floor"), HasSubstr("is above 3 %")));
  EXPECT_EQ(exit_code(found), 3);
}

TEST(Compare, CorrectsForManyStatesAndSaysWhenProcessesAreTooFewForThem) {
  std::vector<std::pair<std::string, double>> base, next;
  for (int i = 0; i < 30; ++i) {
    base.emplace_back(fmt::format("v{}", i), 1);
    next.emplace_back(fmt::format("v{}", i), i == 0 ? 1.2 : 1);
  }
  const Comparison few = compared(processes(base, 1, 4), processes(next, 2, 4));
  EXPECT_EQ(state(few, "v0").verdict, Verdict::inconclusive);
  EXPECT_GT(state(few, "v0").q, 0.05);
  EXPECT_THAT(state(few, "v0").reason, HasSubstr("4 and 4 processes cannot decide about one of 30 states"));
  EXPECT_EQ(state(compared(processes(base, 1), processes(next, 2)), "v0").verdict, Verdict::regressed);
}

TEST(Compare, LeavesProcessesOutThatNeighboursDisturbed) {
  const Side base = example::disturbed_processes(1, 1, 6, 4);
  const Comparison same = compared(base, example::disturbed_processes(1, 2, 5, 5));
  EXPECT_EQ(same.states[0].verdict, Verdict::same);
  EXPECT_EQ(same.states[0].base_units, 6u);
  EXPECT_EQ(same.states[0].base_left_out, 4u);
  EXPECT_EQ(same.states[0].new_units, 5u);
  EXPECT_EQ(same.states[0].new_left_out, 5u);
  EXPECT_THAT(same.states[0].reason, HasSubstr("4 processes of the base and 5 of the new side: left out"));
  EXPECT_EQ(compared(base, example::disturbed_processes(1.1, 2, 6, 2)).states[0].verdict, Verdict::regressed);
}

TEST(Compare, JudgesAStateByItsOwnWitnessAndNoMomentOfAHighClock) {
  Side base = processes({{"scalar", 1}, {"simd", 1}}, 1), next = processes({{"scalar", 1}, {"simd", 1}}, 2);
  for (Side* side : {&base, &next})
    for (auto& process : side->processes) {
      process[0].witness = {.threads = 1, .best_s = 40e-6, .slowdown = 1};
      process[1].witness = {.threads = 1, .best_s = 40e-6, .slowdown = 1.3};  // wide vectors
    }
  base.processes[0][0].witness = {.threads = 1, .best_s = 30e-6, .slowdown = 4.0 / 3};
  const Comparison found = compared(base, next);
  for (const StateComparison& state : found.states) EXPECT_EQ(state.base_left_out + state.new_left_out, 0u);
}

TEST(Compare, KnowsASideThatNeighboursDisturbedSeldomFromOneThatIsFaster) {
  const Comparison found =
      compared(example::disturbed_processes(1, 1, 10, 0), example::disturbed_processes(1, 2, 4, 6));
  EXPECT_EQ(found.states[0].verdict, Verdict::same);
}

TEST(Compare, KeepsDisturbedProcessesOnBothSidesWhereOneHasTooFewOthers) {
  const Comparison found =
      compared(example::disturbed_processes(1, 1, 3, 7), example::disturbed_processes(1, 2, 8, 2));
  EXPECT_EQ(found.states[0].base_units, 10u);
  EXPECT_EQ(found.states[0].new_units, 10u);
  EXPECT_EQ(found.states[0].new_left_out, 0u);
  EXPECT_THAT(found.states[0].reason, HasSubstr("7 processes of the base and 2 of the new side: kept"));
}

TEST(Compare, LeavesNoProcessOutWhereOneDoesNotSayHowItsWitnessRan) {
  Side next = example::disturbed_processes(1, 2, 6, 4);
  next.processes.back().front().witness.reset();
  const Comparison found = compared(example::disturbed_processes(1, 1, 6, 4), next);
  EXPECT_EQ(found.states[0].base_units, 10u);
  EXPECT_EQ(found.states[0].new_units, 10u);
  EXPECT_EQ(found.states[0].verdict, Verdict::inconclusive) << "two speeds on both sides";
}

TEST(Compare, NeedsFourValuesASide) {
  const Comparison found = compared(processes({{"scalar", 1}}, 1, 3), processes({{"scalar", 1}}, 2, 8));
  EXPECT_EQ(found.states[0].verdict, Verdict::inconclusive);
  EXPECT_THAT(found.states[0].reason, HasSubstr("only 3 processes on one side: at least 4"));
}

TEST(Compare, NeverPassesMissingOrFailedStatesSilently) {
  const Side base = one_process({record("gone", {1, 1, 1, 1}), record("skipped", {1, 1, 1, 1}),
                                 record("broken", {1, 1, 1, 1}),
                                 without_number("broken before", Status::failed, "crash", "signal 11"),
                                 without_number("gone before", Status::failed, "crash", "signal 11")});
  const Side next = one_process({without_number("skipped", Status::skipped, "does_not_fit", "needs 9 GB"),
                                 without_number("broken", Status::failed, "wrong_result", "query 3"),
                                 without_number("broken before", Status::failed, "crash", "signal 6")});
  const Comparison found = compared(base, next);
  EXPECT_EQ(state(found, "gone").verdict, Verdict::missing);
  EXPECT_EQ(state(found, "gone before").verdict, Verdict::missing);
  EXPECT_EQ(state(found, "skipped").verdict, Verdict::missing);
  EXPECT_THAT(state(found, "skipped").reason, HasSubstr("does_not_fit: needs 9 GB"));
  EXPECT_EQ(state(found, "broken").verdict, Verdict::failed);
  EXPECT_THAT(state(found, "broken").reason,
              AllOf(HasSubstr("wrong_result: query 3"), Not(HasSubstr("base"))));
  EXPECT_EQ(state(found, "broken before").verdict, Verdict::failed);
  EXPECT_THAT(state(found, "broken before").reason, HasSubstr("the base failed as well"));
  EXPECT_EQ(exit_code(found), 1);
}

TEST(Compare, AcceptsMissingStatesWhereToldToButNotFailedOnes) {
  const Side base = one_process({record("a", {1, 1, 1, 1}), record("gone", {1, 1, 1, 1})});
  const CompareOptions lenient{.allow_missing = true};
  const Side without = one_process({record("a", {1, 1, 1, 1})});
  EXPECT_EQ(exit_code(compared(base, without)), 1);
  EXPECT_EQ(exit_code(compared(base, without, lenient)), 0);
  EXPECT_EQ(compared(base, without, lenient).count(Verdict::missing), 1u);
  const Side failing =
      one_process({record("a", {1, 1, 1, 1}), without_number("gone", Status::failed, "crash", "signal 6")});
  EXPECT_EQ(exit_code(compared(base, failing, lenient)), 1);
}

TEST(Compare, WhatWasDeletedOnPurposeIsNoFailureAndNothingElseIsExcused) {
  const Side base =
      one_process({record("a", {1, 1, 1, 1}), record("gone", {1, 1, 1, 1}), record("gone2", {1, 1, 1, 1})});
  const CompareOptions told{.deleted = {"fm_index/gone"}};
  const Side without = one_process({record("a", {1, 1, 1, 1}), record("gone2", {1, 1, 1, 1})});
  const Comparison found = compared(base, without, told);
  EXPECT_EQ(state(found, "gone").verdict, Verdict::deleted);
  EXPECT_EQ(exit_code(found), 0);
  const Comparison more = compared(base, one_process({record("a", {1, 1, 1, 1})}), told);
  EXPECT_EQ(state(more, "gone2").verdict, Verdict::missing);
  EXPECT_EQ(exit_code(more), 1);
  const Side skips = one_process({record("a", {1, 1, 1, 1}), record("gone2", {1, 1, 1, 1}),
                                  without_number("gone", Status::skipped, "does_not_fit", "needs 9 GB")});
  EXPECT_EQ(state(compared(base, skips, told), "gone").verdict, Verdict::missing);
}

TEST(Compare, CountsWhatBothSidesSkippedAndShowsWhatOnlyTheNewOneHas) {
  const auto skipped = without_number("big", Status::skipped, "does_not_fit", "needs 9 GB");
  const Comparison found =
      compared(one_process({record("a", {1, 1, 1, 1}), skipped}),
               one_process({record("a", {1, 1, 1, 1}), skipped, record("b", {1, 1, 1, 1})}));
  EXPECT_EQ(found.skipped_on_both, 1u);
  EXPECT_EQ(found.states.size(), 2u);
  EXPECT_EQ(state(found, "b").verdict, Verdict::added);
  EXPECT_EQ(exit_code(found), 0);
}

TEST(Compare, FailsAStateThatFailedInOneProcessOnly) {
  Side base = processes({{"scalar", 1}}, 1), next = processes({{"scalar", 1}}, 2);
  next.processes[5][0] = without_number("scalar", Status::failed, "timeout", "60 s");
  EXPECT_EQ(compared(base, next).states[0].verdict, Verdict::failed);
}

TEST(Compare, RemarksOnProcessesThatLackAState) {
  Side base = processes({{"scalar", 1}, {"simd", 1}}, 1), next = processes({{"scalar", 1}, {"simd", 1}}, 2);
  next.processes[5].pop_back();
  const Comparison found = compared(base, next);
  EXPECT_THAT(state(found, "simd").reason, HasSubstr("measured in 7 of 8 processes of the new side"));
  EXPECT_EQ(state(found, "scalar").reason, "");
}

TEST(Compare, TakesSamplesOfOneProcessAndRepetitionsWhereThereAreEnough) {
  std::vector<ComparedRecord> few, many;
  for (int i = 0; i < 4; ++i) {
    ComparedRecord r = record("scalar", {1.0 + i * 1e-4, 1.0002 + i * 1e-4});
    if (i < 3) few.push_back(r);
    many.push_back(r);
  }
  EXPECT_EQ(compared(one_process(few), one_process(many)).states[0].unit, "sample");
  EXPECT_EQ(compared(one_process(few), one_process(many)).states[0].base_units, 6u);
  EXPECT_EQ(compared(one_process(many), one_process(many)).states[0].unit, "repetition");
  EXPECT_EQ(compared(one_process(many), one_process(many)).states[0].base_units, 4u);
}

TEST(Compare, ComparesThePhaseThatBothSidesReached) {
  ComparedRecord sweep = record("scalar", {1, 1, 1, 1}), tune = record("scalar", {2, 2, 2, 2});
  tune.phase = "tune";
  EXPECT_EQ(compared(one_process({sweep, tune}), one_process({sweep, tune})).states[0].base_median_s, 2);
  EXPECT_EQ(compared(one_process({sweep, tune}), one_process({sweep})).states[0].ratio, 1);
}

TEST(Compare, DoesNotMissFootprintsThatEachRunRefinesByItself) {
  const auto refined = [](const char* variant) {
    ComparedRecord r = record("cpu", {1, 1, 1, 1});
    r.state.family = "latency";
    r.state.point = {{"footprint_bytes", std::string(variant)}};
    r.phase = "refine";
    return r;
  };
  const auto a = record("a", {1, 1, 1, 1});
  const Comparison found = compared(one_process({a, refined("1")}), one_process({a, refined("2")}));
  EXPECT_EQ(found.states.size(), 1u);
  EXPECT_EQ(found.refined_on_one_side, 2u);
  EXPECT_EQ(exit_code(found), 0);
  const Comparison stopped = compared(one_process({a, refined("1")}), one_process({a}));
  EXPECT_EQ(exit_code(stopped), 1) << "a side that refined nothing at all misses what the other refined";
}

TEST(Compare, MatchesStatesWhateverTheOrderOfTheirAxes) {
  ComparedRecord other = record("a", {1, 1, 1, 1});
  other.state.point = {{"d", 64}, {"k", 2}};
  EXPECT_EQ(compared(one_process({record("a", {1, 1, 1, 1})}), one_process({other})).states.size(), 1u);
}

TEST(Compare, RefusesOtherDevicesDriversAndProblemsNamingThem) {
  const Side base = one_process({record("a", {1, 1, 1, 1})});
  ComparedRecord other = record("a", {1, 1, 1, 1});
  other.provenance["device"]["name"] = "Intel Xeon";
  other.provenance["device"]["driver_version"] = "580";
  other.problem_hash = "fedcba9876543210";
  EXPECT_THAT(
      [&] { compared(base, one_process({other})); },
      ThrowsMessage<UsageError>(AllOf(HasSubstr("device cpu/name: AMD EPYC in the base, Intel Xeon in"),
                                      HasSubstr("problem_hash of fm_index/reference_bases=1000000/cpu: "
                                                "0123456789abcdef"),
                                      HasSubstr("--allow device,driver,problem"))));
  const CompareOptions device_only{.allowed = {.device = true}};
  EXPECT_THAT([&] { compared(base, one_process({other}), device_only); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("problem_hash"), Not(HasSubstr("Xeon")))));
  const CompareOptions all{.allowed = {.device = true, .driver = true, .problem = true}};
  EXPECT_EQ(compared(base, one_process({other}), all).states.size(), 1u);
}

TEST(Compare, RefusesAnotherDriverOfTheSameDevice) {
  const auto with_driver = [](const char* version) {
    ComparedRecord r = record("a", {1, 1, 1, 1});
    r.provenance["device"]["driver_version"] = version;
    return one_process({r});
  };
  EXPECT_THAT([&] { compared(with_driver("570"), with_driver("580")); },
              ThrowsMessage<UsageError>(HasSubstr("driver_version: 570 in the base, 580 in the new side")));
  EXPECT_EQ(exit_code(compared(with_driver("570"), with_driver("580"), {.allowed = {.driver = true}})), 0);
}

TEST(Compare, ListsWhatElseDiffersAndLeavesOutWhatChangesByItself) {
  ComparedRecord other = record("a", {1, 1, 1, 1});
  other.provenance["program"]["commit"] = "bbbb";
  other.provenance["config_hash"] = "f00";
  other.provenance["host"]["kernel"] = "Linux 6.2";
  other.date = "2026-11-21T10:00:00Z";
  other.provenance["device"]["clock_mhz"] = 3100;
  other.provenance["device"]["memory_bytes"] = 25276500000;  // another kernel keeps a little more for itself
  const Comparison found = compared(one_process({record("a", {1, 1, 1, 1})}), one_process({other}));
  std::vector<std::string> fields;
  for (const ProvenanceDifference& difference : found.differences) {
    fields.push_back(difference.field);
    EXPECT_FALSE(difference.refuses);
  }
  EXPECT_THAT(fields, testing::ElementsAre("config_hash", "host/kernel", "program/commit"));
}

TEST(Compare, RefusesASideWithoutRecords) {
  EXPECT_THAT([] { compared(one_process({}, "empty"), one_process({record("a", {1})})); },
              ThrowsMessage<UsageError>(HasSubstr("empty (the base) holds no record")));
}

TEST(Compare, FailsAnOkRecordWithoutNumbers) {
  const Side base = one_process({record("a", {1, 1, 1, 1})});
  EXPECT_EQ(compared(base, one_process({record("a", {})})).states[0].verdict, Verdict::failed);
  EXPECT_EQ(compared(base, one_process({record("a", {1, 0})})).states[0].verdict, Verdict::failed);
}

TEST(ExitCode, IsOneAlsoFor256Regressions) {
  std::vector<ComparedRecord> base, next;
  for (int i = 0; i < 256; ++i) {
    base.push_back(
        record(fmt::format("v{}", i), {1, 1.0001, 1.0002, 1.0003, 1.0004, 1.0005, 1.0006, 1.0007}));
    next.push_back(
        record(fmt::format("v{}", i), {2, 2.0001, 2.0002, 2.0003, 2.0004, 2.0005, 2.0006, 2.0007}));
  }
  const Comparison found = compared(one_process(base), one_process(next));
  EXPECT_EQ(found.count(Verdict::regressed), 256u);
  EXPECT_EQ(exit_code(found), 1);
}

TEST(Compare, JudgesAStateAlikeWhateverElseIsCompared) {
  const Side base = processes({{"scalar", 1}}, 1), next = processes({{"scalar", 1.04}}, 2);
  Side more_base = base, more_next = next;
  for (Side* side : {&more_base, &more_next})
    for (auto& process : side->processes) process.insert(process.begin(), record("other", {1, 1, 1, 1}));
  const Comparison alone = compared(base, next), together = compared(more_base, more_next);
  EXPECT_EQ(alone.states[0].low, state(together, "scalar").low);
  EXPECT_EQ(alone.states[0].noise_floor, state(together, "scalar").noise_floor);
}

}  // namespace
}  // namespace gpuseq::comparison
