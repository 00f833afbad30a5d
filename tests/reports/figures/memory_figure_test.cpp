#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>

#include "tests/reports/drawn_figure.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using chart::Panel;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

struct Held {
  const char* variant;
  double rate;
  std::uint64_t bytes;
};

/// Searches of one problem on a CPU that hold so much.
std::vector<results::Record> holding(const std::vector<Held>& all) {
  std::vector<results::Record> records;
  std::int64_t d = 64;
  for (const auto& [variant, rate, bytes] : all) {
    records.push_back(record("fm_index", variant, problem(100'000'000),
                             {{"k", 1}, {"d", d += 64}, {"counters", "full"}, {"prefix_symbols", d % 128}},
                             "cpu", 4e8, "query bases", rate));
    records.back().memory = {HeldMemory{{{"index", bytes - 100}, {"output", 100}}}, {}};
    records.back().ceiling = {results::Ceiling{2 * rate, "DRAM", "blocks", 0.5}, ""};
  }
  return records;
}

const chart::LineChart& lines_of(const Drawing& drawing) {
  return std::get<chart::LineChart>(*drawing.chart);
}

TEST(MemoryFigure, MarksWhatNothingBeatsThatHoldsAsLittleWithALineAndTheirCeilings) {
  const Drawing drawing = draw("fm-index/memory", data(holding({{"scalar", 1e9, 5000},
                                                                {"simd", 3e9, 9000},
                                                                {"prefetch", 2e9, 9000},
                                                                {"one_hot_simd", 2.5e9, 20000},
                                                                {"one_hot_simd", 4e9, 40000}})));
  ASSERT_TRUE(drawing.spec) << drawing.reason;
  ASSERT_EQ(lines_of(drawing).panels.size(), 1u);
  const Panel& panel = lines_of(drawing).panels[0];
  EXPECT_THAT(panel.steps, ElementsAre(Pair(5000, 1e9), Pair(9000, 3e9), Pair(40000, 4e9)));
  ASSERT_EQ(panel.marks.size(), 5u);
  std::map<double, std::pair<bool, double>> found;  // rate -> small, ceiling
  for (const chart::Mark& mark : panel.marks) found[mark.y] = {mark.minor, mark.ceiling};
  EXPECT_EQ(found[1e9], std::pair(false, 2e9));
  EXPECT_EQ(found[2e9], std::pair(true, 0.0));
  EXPECT_EQ(found[2.5e9], std::pair(true, 0.0));
  EXPECT_EQ(found[4e9], std::pair(false, 8e9));
  EXPECT_THAT(lines_of(drawing).series, ElementsAre("one_hot_simd", "prefetch", "scalar", "simd"));
  EXPECT_TRUE(panel.guides.empty());
  const auto rows_with_ceiling = rows(*drawing.spec, [](const Json& row) { return row.contains("ceiling"); });
  EXPECT_EQ(rows_with_ceiling.size(), 3u);
}

TEST(MemoryFigure, HasAPanelForEachProblemAndDeviceTheLargestReferenceFirst) {
  const Drawing drawing = draw("fm-index/memory", example::data());
  ASSERT_TRUE(drawing.spec) << drawing.reason;
  const auto& panels = lines_of(drawing).panels;
  ASSERT_EQ(panels.size(), 8u);  // five sizes on the GPU, three on the CPU
  EXPECT_THAT(panels[0].title, HasSubstr("3 Gbases"));
  for (const Panel& panel : panels)
    EXPECT_TRUE(std::ranges::is_sorted(
        panel.steps, [](const auto& a, const auto& b) { return a.first < b.first && a.second < b.second; }));
}

TEST(MemoryFigure, DrawsTheLimitOfTheRun) {
  for (const nlohmann::json& limit : {nlohmann::json(200'000'000), nlohmann::json("200M")}) {
    ReportData limited = data(holding({{"scalar", 1e9, 150'000'000}, {"simd", 3e9, 300'000'000}}));
    limited.runs[0].summary["config"]["limits"]["max_bytes"] = limit;
    const Drawing drawing = draw("fm-index/memory", limited);
    const auto& guides = lines_of(drawing).panels[0].guides;
    ASSERT_EQ(guides.size(), 1u);
    EXPECT_TRUE(guides[0].vertical);
    EXPECT_EQ(guides[0].at, 2e8);
    EXPECT_EQ(guides[0].label, "limit 200 MB");
  }
}

TEST(MemoryFigure, OfOlderRecordsAddsUpWhatTheirFactsSayAndLeavesOutTheOthers) {
  auto records = holding({{"scalar", 1e9, 5000}, {"simd", 3e9, 9000}, {"prefetch", 2e9, 9000}});
  for (results::Record& record : records) record.memory = {std::nullopt, "it was not recorded"};
  records[0].facts = {{"index_bytes", 1e6},
                      {"queries_searched", 1000},
                      {"query_bases", 100'000},
                      {"longest_query_bases", 100},
                      {"wide", false}};
  records[1].facts = {{"index_bytes", 1e6},
                      {"queries_searched", 1000},
                      {"query_bases", 90'000},
                      {"longest_query_bases", 100},
                      {"wide", false}};  // of several lengths
  const Drawing drawing = draw("fm-index/memory", data(records));
  ASSERT_TRUE(drawing.spec) << drawing.reason;
  const Panel& panel = lines_of(drawing).panels[0];
  ASSERT_EQ(panel.marks.size(), 1u);
  EXPECT_EQ(panel.marks[0].x, 1e6 + 1000 * (32 + 8 + 8));
  EXPECT_THAT(lines_of(drawing).heading.notes,
              ::testing::Contains(HasSubstr("2 records do not say what they hold")));
  records.erase(records.begin());
  EXPECT_THAT(draw("fm-index/memory", data(records)).reason, HasSubstr("the bytes that it holds"));
}

}  // namespace
}  // namespace gpuseq::reports
