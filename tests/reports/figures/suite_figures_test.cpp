#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/terms.hpp"
#include "runtime/contract/counters.hpp"
#include "tests/reports/drawn_figure.hpp"

// Peers, figures of the whole suite, and energy.

namespace gpuseq::reports {
namespace {

using namespace example;
using ::testing::Contains;
using ::testing::HasSubstr;

ReportData with_rate_of_peer(double rate) {
  ReportData data = example::data();
  for (Entry& entry : data.entries)
    if (is_peer(entry)) entry.record.statistics->rate = rate;
  return data;
}

TEST(Peers, StandHollowAndMarkedBesideTheBestOfOurVariants) {
  for (const char* name : {"fm-index/fig5", "suite/devices"}) {
    const Json spec = *draw(name, example::data(), load_published(kFacts)).spec;
    const auto peers = rows(spec, [](const Json& row) {
      return row["row"].get<std::string>().find("bowtie (whole process)") != std::string::npos;
    });
    ASSERT_EQ(peers.size(), 1u) << name;
    EXPECT_EQ(peers[0]["hollow"], true) << name;
    EXPECT_THAT(spec["title"]["subtitle"].dump(), HasSubstr("whole process")) << name;
  }
}

TEST(Peers, AreNoContestantsOfOursHoweverFast) {
  const Json slow = *draw("suite/devices", with_rate_of_peer(1)).spec;
  const Json fast = *draw("suite/devices", with_rate_of_peer(1e15)).spec;
  const auto ours = [](const Json& spec) {
    std::vector<double> values;
    for (const Json& row : rows(spec, [](const Json& row) { return !row.contains("hollow"); }))
      values.push_back(row["value"]);
    return values;
  };
  EXPECT_EQ(ours(slow), ours(fast));
  for (const char* name : {"fm-index/ceiling", "suite/roofline", "suite/energy", "fm-index/fig9"})
    EXPECT_EQ(draw(name, with_rate_of_peer(1e15)).spec->dump().find("bowtie"), std::string::npos) << name;
}

TEST(Devices, AreRatiosToTheSlowestOfThem) {
  const Json spec = *draw("suite/devices", example::data()).spec;
  for (const Json& panel : panels(spec)) {
    double lowest = 1e300;
    for (const Json& row : panel["data"]["values"])
      if (!row.contains("hollow")) lowest = std::min(lowest, row["value"].get<double>());
    EXPECT_DOUBLE_EQ(lowest, 1);
  }
}

TEST(SameStates, AreRatiosOfADeviceToTheOneThatHasMostStates) {
  ReportData data = example::data();
  std::erase_if(data.entries, [](const Entry& entry) {
    return entry.record.kind != "kernel" || entry.record.state.device == "cuda:1";
  });
  for (Entry& entry : data.entries) entry.device_name = "GPU A";
  const std::vector<Entry> of_a = data.entries;
  // Every other state is on a second device too, half as fast again where memory bounds it.
  for (std::size_t i = 0; i < of_a.size(); i += 2) {
    data.entries.push_back(of_a[i]);
    Entry& entry = data.entries.back();
    entry.device_name = entry.device_fingerprint = "GPU B";
    const auto& ceiling = entry.record.ceiling.value;
    if (ceiling && ceiling->bound_by == "DRAM") entry.record.statistics->rate *= 1.5;
  }
  const Drawing drawing = draw("suite/same_states", data);
  ASSERT_TRUE(drawing.spec) << drawing.reason;
  EXPECT_THAT(drawing.spec->dump(), HasSubstr("rate over that of GPU A"));
  std::size_t ticks = 0, medians = 0;
  for (const Json& row : rows(*drawing.spec)) {
    EXPECT_DOUBLE_EQ(row["value"].get<double>(), row["row"] == "DRAM" ? 1.5 : 1);
    (row.contains("label") ? medians : ticks) += 1;
    EXPECT_EQ(data.entries[row["record"].get<std::size_t>()].device_name, "GPU B");
  }
  EXPECT_GT(ticks, 5u);
  EXPECT_GE(medians, 2u);
}

TEST(SameStates, NeedASecondDevice) {
  const ReportData data = only([](const results::Record& record) { return record.state.device != "cuda:1"; });
  EXPECT_THAT(draw("suite/same_states", data).reason, HasSubstr("a state that a second device has"));
}

TEST(Figures, OfManyRunsSayHowManyEachProgramMade) {
  ReportData data = example::data();
  const auto run = data.runs[0];
  data.runs.assign(8, run);
  for (std::size_t i = 0; i < data.runs.size(); ++i)
    data.runs[i].summary["program"] = {{"version", "0.1.0"},
                                       {"commit", i < 5 ? "aaaaaaaaaabb" : "bbbbbbbbbbcc"}};
  for (std::size_t i = 0; i < data.entries.size(); ++i) data.entries[i].run = i % data.runs.size();
  const std::string many = draw("suite/roofline", data).spec->dump();
  EXPECT_THAT(
      many,
      HasSubstr("Data: 8 runs: 5 by gpuseq-bench 0.1.0, aaaaaaaaaa; 3 by gpuseq-bench 0.1.0, bbbbbbbbbb; "));
  for (Entry& entry : data.entries) entry.run %= 2;
  EXPECT_THAT(draw("suite/roofline", data).spec->dump(),
              HasSubstr("Data: runs " + run.name + " (gpuseq-bench 0.1.0, aaaaaaaaaa), "));
}

TEST(Roofline, HoldsEverySettledKernelRecordWithACeilingOnce) {
  const ReportData data = example::data();
  std::set<std::size_t> drawn, expected;
  for (const Json& row : rows(*draw("suite/roofline", data).spec)) {
    EXPECT_TRUE(drawn.insert(row["record"].get<std::size_t>()).second);
    const Entry& entry = data.entries[row["record"].get<std::size_t>()];
    EXPECT_DOUBLE_EQ(row["y"].get<double>(), entry.record.ceiling.value->fraction);
  }
  for (const Entry* entry : data.settled("fm_index"))
    if (entry->record.ceiling.value) expected.insert(data.index_of(*entry));
  EXPECT_EQ(drawn, expected);
}

/// The example with what the warps of every kernel on a GPU did.
ReportData with_warp_states() {
  ReportData data = example::data();
  for (Entry& entry : data.entries)
    if (entry.record.kind == "kernel" && entry.record.state.device != "cpu")
      entry.record.counters = {std::map<std::string, double>{{warp_state_metric("selected"), 1e6},
                                                             {warp_state_metric("long_scoreboard"), 2e6},
                                                             {warp_state_metric("tex_throttle"), 1e6}},
                               {}};
  return data;
}

TEST(Why, StacksTheTimeOfTheWarpsOfTheFastestPointOfEachVariant) {
  const ReportData data = with_warp_states();
  const Json spec = *draw("suite/why", data).spec;
  std::map<std::string, double> sums;
  for (const Json& panel : panels(spec))
    for (const Json& row : panel["data"]["values"]) {
      const Entry& entry = data.entries[row["record"].get<std::size_t>()];
      EXPECT_NE(entry.record.state.device, "cpu");
      EXPECT_DOUBLE_EQ(row["value"].get<double>(), row["series"] == "issuing" ? 0.25 : 0.75);
      const double sum = sums[panel["title"].dump() + row["row"].get<std::string>()] +=
          row["value"].get<double>();
      EXPECT_LE(sum, 1 + 1e-9);
      for (const Entry* other : data.settled(entry.record.state.family))
        if (other->record.state.variant == entry.record.state.variant &&
            other->device_name == entry.device_name &&
            other->record.state.problem == entry.record.state.problem &&
            point_words(*other) == point_words(entry)) {
          EXPECT_LE(other->record.statistics->rate, entry.record.statistics->rate);
        }
    }
  ASSERT_FALSE(sums.empty());
  for (const auto& [row, sum] : sums) EXPECT_DOUBLE_EQ(sum, 1) << row;
}

TEST(Why, PutsProblemsInTheOrderOfTheirSizesAndNotOfTheirNames) {
  ReportData data = with_warp_states();
  std::int64_t size = 9;
  for (Entry& entry : data.entries)
    if (entry.record.state.family == "fm_index" && entry.record.kind == "kernel")
      entry.record.state.problem.set("reference_bases", size = size == 9 ? 1000 : size == 1000 ? 200 : 9);
  const Json spec = *draw("suite/why", data).spec;
  std::vector<std::int64_t> sizes;
  for (const Json& panel : panels(spec)) {
    const Json& row = panel["data"]["values"][0];
    const results::StateKey& state = data.entries[row["record"].get<std::size_t>()].record.state;
    if (state.family == "fm_index") sizes.push_back(state.problem.integer("reference_bases"));
  }
  ASSERT_GE(std::set<std::int64_t>(sizes.begin(), sizes.end()).size(), 2u);
  EXPECT_TRUE(std::ranges::is_sorted(sizes)) << ::testing::PrintToString(sizes);
}

TEST(Why, SaysWhatIsMissingWhereNothingWasCounted) {
  ReportData data = example::data();
  for (Entry& entry : data.entries) entry.record.counters = {{}, "not asked for"};
  EXPECT_THAT(draw("suite/why", data).reason, HasSubstr("counters of what its warps wait for"));
}

TEST(Roofline, EmphasisesTheFastestOfAVariantOnAProblem) {
  const ReportData data = example::data();
  std::map<std::string, double> fastest, large;
  for (const Json& row : rows(*draw("suite/roofline", data).spec)) {
    const Entry& entry = data.entries[row["record"].get<std::size_t>()];
    const std::string contest =
        entry.device_name + entry.record.state.variant + entry.record.state.problem.to_string();
    fastest[contest] = std::max(fastest[contest], entry.record.statistics->rate);
    if (!row.contains("minor")) large[contest] = entry.record.statistics->rate;
  }
  EXPECT_EQ(fastest, large);
}

/// The example with every FM-index state measured again, without counters and energy, as tuning does.
ReportData measured_again() {
  ReportData data = example::data();
  std::vector<Entry> again;
  for (const Entry& entry : data.entries)
    if (entry.record.state.family == "fm_index" && entry.record.status == results::Status::ok)
      again.push_back(entry);
  for (Entry& entry : again) {
    entry.record.phase = "tune";
    entry.record.counters = {std::nullopt, "not asked for"};
    entry.record.energy = {std::nullopt, "not asked for"};
    data.entries.push_back(entry);
  }
  return data;
}

TEST(MeasuredAgain, HidesNeitherEnergyNorCountersOfTheSweep) {
  const ReportData once = example::data(), again = measured_again();
  for (const char* name : {"suite/energy", "fm-index/table2"}) {
    const auto values = [&](const ReportData& data) {
      std::multiset<double> values;
      for (const Json& row : rows(*draw(name, data).spec, [](const Json& r) { return r.contains("record"); }))
        values.insert(row["value"].get<double>());
      return values;
    };
    EXPECT_EQ(values(again), values(once)) << name;
  }
}

TEST(MeasuredAgain, Figure11TakesTheEnergyOfTheSameState) {
  const ReportData again = measured_again();
  const Json spec = *draw("fm-index/fig11", again).spec, energy = panels(spec).back();
  ASSERT_EQ(energy["title"]["text"], "energy");
  for (const Json& row : energy["data"]["values"]) {
    const Entry& entry = again.entries[row["record"].get<std::size_t>()];
    if (!entry.record.state.device.starts_with("cuda")) continue;
    ASSERT_TRUE(entry.record.energy.value) << entry.record.state.to_string();
    EXPECT_DOUBLE_EQ(row["value"].get<double>(),
                     (*entry.record.energy.value)["work_per_joule"].get<double>());
  }
}

TEST(Energy, SaysWhyThereIsNone) {
  ReportData data = example::data();
  for (Entry& entry : data.entries) entry.record.energy = {std::nullopt, "the device has no energy counter"};
  EXPECT_THAT(draw("suite/energy", data).reason, HasSubstr("the device has no energy counter"));
}

TEST(Figure11, TakesThePowerLimitWhereNoEnergyWasMeasured) {
  ReportData data = example::data();
  for (Entry& entry : data.entries) {
    entry.record.energy = {std::nullopt, "not asked for"};
    if (entry.record.state.device == "cuda:0") entry.record.provenance["device"] = {{"power_limit_w", 500}};
  }
  const Json spec = *draw("fm-index/fig11", data).spec;
  const Json energy = panels(spec).back();
  EXPECT_EQ(energy["title"]["text"], "energy");
  for (const Json& row : energy["data"]["values"]) {
    const Entry& entry = data.entries[row["record"].get<std::size_t>()];
    EXPECT_DOUBLE_EQ(row["value"].get<double>(), entry.record.statistics->rate / 500);
  }
  EXPECT_THAT(spec["title"]["subtitle"].dump(), HasSubstr("power limit"));
}

}  // namespace
}  // namespace gpuseq::reports
