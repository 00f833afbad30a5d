#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/comparison/history.hpp"
#include "reports/comparison/history_figure.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/reports/comparison/comparison_sides.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::comparison {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// A run of one commit.
Side run_of(int commit, double factor, double noise = 0.003) {
  Side side =
      example::processes({{"scalar", factor}, {"simd", 1}}, static_cast<std::uint64_t>(commit + 1), 4, noise);
  for (auto& process : side.processes)
    for (ComparedRecord& record : process) {
      record.provenance["program"]["commit"] = fmt::format("{:040x}", 0xabc000 + commit);
      record.date = fmt::format("2026-11-{:02}T10:00:00Z", 1 + commit);
    }
  return side;
}

/// Twenty commits; the thirteenth made `scalar` slower.
std::vector<HistoryEntry> with_a_step() {
  std::vector<HistoryEntry> entries;
  for (int commit = 0; commit < 20; ++commit)
    for (const HistoryEntry& entry : entries_of(run_of(commit, commit < 12 ? 1 : 1.06), nullptr))
      entries.push_back(entry);
  return entries;
}

class HistoryTest : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_.path() / "history.jsonl"; }
  TemporaryFolder folder_;
};

TEST_F(HistoryTest, KeepsWhatWasAppended) {
  const Side base = run_of(0, 1), next = run_of(1, 1.1);
  const Comparison comparison = compare(base, next, {});
  EXPECT_EQ(append_history(path(), next, &comparison), 2u);
  const std::vector<HistoryEntry> entries = load_history(path());
  EXPECT_EQ(entries, entries_of(next, &comparison));
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].verdict, "inconclusive") << "four processes a side cannot decide";
  EXPECT_EQ(entries[0].commit, fmt::format("{:040x}", 0xabc001));
  EXPECT_EQ(entries[0].device_name, "AMD EPYC");
  EXPECT_EQ(entries[0].values, 4u);
  EXPECT_GT(entries[0].rate, 0);
}

TEST_F(HistoryTest, DoesNotHoldARunTwice) {
  EXPECT_EQ(append_history(path(), run_of(0, 1), nullptr), 2u);
  EXPECT_EQ(append_history(path(), run_of(0, 1), nullptr), 0u);
  EXPECT_EQ(append_history(path(), run_of(1, 1), nullptr), 2u);
  EXPECT_EQ(load_history(path()).size(), 4u);
}

TEST_F(HistoryTest, LeavesOutATornLastLineAndNamesTheLineOfOtherErrors) {
  append_history(path(), run_of(0, 1), nullptr);
  std::ofstream(path(), std::ios::app) << "{\"schema_version\": 1, \"da";
  EXPECT_EQ(load_history(path()).size(), 2u);
  append_history(path(), run_of(1, 1), nullptr);
  EXPECT_EQ(load_history(path()).size(), 4u);
  std::ofstream(path(), std::ios::app) << "{\"schema_version\": 1}\n";
  EXPECT_THAT([&] { load_history(path()); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("history.jsonl:5: "), HasSubstr("/date"))));
}

TEST_F(HistoryTest, RefusesAFileThatIsNoHistory) {
  const auto config = folder_.write("config.json", "{\n}\n");
  EXPECT_THROW(append_history(config, run_of(0, 1), nullptr), UsageError);
  EXPECT_EQ(read_file(config), "{\n}\n");
  EXPECT_THROW(load_history(folder_.path() / "none.jsonl"), UsageError);
}

TEST_F(HistoryTest, JunkWithoutALineEndIsNoTornLine) {
  for (const char* junk : {"[[[[", "nothing", "{\"a\": 1}", "\n", "{}"}) {
    const auto file = folder_.write("junk.jsonl", junk);
    EXPECT_THAT([&] { load_history(file); }, ThrowsMessage<UsageError>(HasSubstr("junk.jsonl:1: "))) << junk;
    EXPECT_THROW(append_history(file, run_of(0, 1), nullptr), UsageError);
    EXPECT_EQ(read_file(file), junk);
  }
  append_history(path(), run_of(0, 1), nullptr);
  std::ofstream(path(), std::ios::app) << "[[[[";
  EXPECT_THAT([&] { load_history(path()); }, ThrowsMessage<UsageError>(HasSubstr("history.jsonl:3: ")));
}

TEST_F(HistoryTest, DatesThatDoNotExistAreRefused) {
  Side side = run_of(0, 1);
  side.processes[0][0].date = "2026-02-30T10:00:00Z";
  EXPECT_THAT([&] { append_history(path(), side, nullptr); },
              ThrowsMessage<UsageError>(HasSubstr("/date: found \"2026-02-30T10:00:00Z\", allowed: a date")));
}

TEST_F(HistoryTest, RefusesNamesThatARegularExpressionCouldNotBeTriedOn) {
  Side side = run_of(0, 1);
  side.processes[0][0].state.variant = std::string(100000, 'a');
  EXPECT_THAT([&] { append_history(path(), side, nullptr); },
              ThrowsMessage<UsageError>(HasSubstr("/state: has 1000")));
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(HistoryTest, EitherLoadsOrRefusesWhateverItHolds) {
  append_history(path(), run_of(0, 1), nullptr);
  const std::string valid = read_file(path());
  Random random(1);
  int loaded = 0, refused = 0;
  for (int i = 0; i < 400; ++i) {
    std::string mutated = valid;
    for (std::uint64_t n = 1 + random.below(3); n > 0; --n) {
      const std::size_t at = random.below(mutated.size());
      if (random.below(3) == 0)
        mutated.erase(at, 1 + random.below(20));
      else
        mutated[at] = static_cast<char>(random.below(256));
    }
    const auto file = folder_.write("mutated.jsonl", mutated);
    try {
      to_text(history_series(load_history(file), "", 0.95));
      ++loaded;
    } catch (const UsageError&) {
      ++refused;
    }
  }
  EXPECT_GT(loaded, 0);
  EXPECT_GT(refused, 0);
}

TEST_F(HistoryTest, FindsTheCommitThatMadeAStateSlower) {
  const std::vector<HistorySeries> series = history_series(with_a_step(), "", 0.99);
  ASSERT_EQ(series.size(), 2u);
  EXPECT_THAT(series[0].entries[0].state, HasSubstr("scalar")) << "the largest step first";
  ASSERT_EQ(series[0].steps.size(), 1u);
  EXPECT_EQ(series[0].entries[series[0].steps[0].place].commit, fmt::format("{:040x}", 0xabc000 + 12));
  EXPECT_NEAR(series[0].steps[0].after / series[0].steps[0].before, 1.06, 0.01);
  EXPECT_TRUE(series[1].steps.empty());
  EXPECT_THAT(to_text(series), AllOf(HasSubstr("+6."), HasSubstr("2026-11-13"),
                                     HasSubstr("2 states over 20 commits: 1 step\n")));
}

TEST_F(HistoryTest, ChoosesStatesByARegularExpression) {
  const std::vector<HistoryEntry> entries = with_a_step();
  EXPECT_EQ(history_series(entries, "^fm_index/simd/", 0.99).size(), 1u);
  EXPECT_EQ(history_series(entries, "nothing", 0.99).size(), 0u);
  EXPECT_THROW(history_series(entries, "(", 0.99), UsageError);
}

TEST_F(HistoryTest, KeepsDevicesApartButNotDrivers) {
  Side other = run_of(1, 1), driver = run_of(2, 1);
  for (auto& process : other.processes)
    for (ComparedRecord& record : process) record.provenance["device"]["cores"] = 64;
  for (auto& process : driver.processes)
    for (ComparedRecord& record : process) record.provenance["device"]["driver_version"] = "580";
  for (const Side& side : {run_of(0, 1), other, driver}) append_history(path(), side, nullptr);
  EXPECT_EQ(history_series(load_history(path()), "scalar", 0.99).size(), 2u);
}

TEST_F(HistoryTest, IsDrawnWithAPanelAStateAndALineAStep) {
  const nlohmann::json chart = to_json(draw_history(history_series(with_a_step(), "", 0.99)));
  const std::string text = chart.dump();
  EXPECT_THAT(text, AllOf(HasSubstr("Times over commits"), HasSubstr("+6."), HasSubstr("\"scalar\""),
                          HasSubstr("\"simd\""),
                          HasSubstr("All: fm_index, reference_bases=1000000, k=2, d=64, cpu.")));
  EXPECT_THROW(draw_history({}), UsageError);
}

}  // namespace
}  // namespace gpuseq::comparison
