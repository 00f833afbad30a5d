#include "bench/commands/reproductions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "bench/base/name_filter.hpp"
#include "reports/figure.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;

fs::path folder_of(const Reproduction& row) {
  return source_dir() / "results" / row.committed;
}

TEST(Reproductions, HaveARowForEachFigureThatOneRunDraws) {
  std::multiset<std::string> rows;
  for (const Reproduction& row : reproductions()) rows.emplace(row.figure);
  for (const reports::Figure& figure : reports::figures())
    EXPECT_EQ(rows.count(figure.name), figure.name == "suite/same_states" ? 0 : 1) << figure.name;
  EXPECT_EQ(rows.size(), reports::figures().size() - 1);
}

TEST(Reproductions, NameConfigsThatHaveWhatTheyKeep) {
  for (const Reproduction& row : reproductions()) {
    const json config = read_json(source_dir() / "configs" / row.config);
    const json families = config.value("families", json::object());
    json probes = config.value("probes", json::object());
    if (config.contains("probes_of"))
      probes.update(read_json(source_dir() / "configs" / config["probes_of"].get<std::string>())["probes"]);
    for (const std::string_view family : row.families) EXPECT_TRUE(families.contains(family)) << row.figure;
    if (row.config != std::string_view("machine/quick.json")) continue;
    for (const std::string_view probe : row.probes) EXPECT_TRUE(probes.contains(probe)) << row.figure;
  }
}

TEST(Reproductions, RefuseFiguresOfSeveralMachinesAndUnknownOnes) {
  EXPECT_EQ(reproduction_of("fm-index/fig8").figure, "fm-index/fig8");
  try {
    reproduction_of("suite/same_states");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("fm-index/fig8"));
  }
  EXPECT_THROW(reproduction_of("fm-index/fig88"), UsageError);
}

/// How many marks a drawing has, by panel and series.
using Marks = std::map<std::pair<std::string, std::string>, std::size_t>;

Marks marks_of(const reports::Drawing& drawing) {
  Marks marks;
  std::visit(
      [&](const auto& kind) {
        for (const auto& panel : kind.panels)
          if constexpr (requires { panel.cells; })
            marks[{panel.title, ""}] += panel.cells.size();
          else
            for (const auto& mark : panel.marks) ++marks[{panel.title, mark.series}];
      },
      *drawing.chart);
  return marks;
}

/// Whether a row lets a record be measured again.
bool takes(const Reproduction& row, const NameFilter& filter, const results::Record& record) {
  const bool probe = record.kind == "probe";  // peers stand among the variants of their family
  const auto& names = probe ? row.probes : row.families;
  if (probe && row.beside.ceilings) return true;
  return std::ranges::find(names, record.state.family) != names.end() &&
         filter.lets_through(record.state.to_string());
}

TEST(Reproductions, TakeAllOfTheCommittedRecordThatTheFigureDraws) {
  std::map<fs::path, reports::ReportData> loaded;
  for (const Reproduction& row : reproductions()) {
    const fs::path folder = folder_of(row);
    ASSERT_TRUE(fs::exists(folder / "records.jsonl")) << row.figure;
    if (!loaded.contains(folder)) loaded.emplace(folder, reports::load_runs({folder}));
    const reports::ReportData& all = loaded.at(folder);
    const reports::Figure& figure = *reports::find_figures({std::string(row.figure)}).front();
    const reports::Drawing whole = figure.draw(figure, all, {});
    EXPECT_TRUE(whole.chart) << row.figure << " is not drawn of " << folder << ": " << whole.reason;
    if (!whole.chart) continue;
    reports::ReportData kept = all;
    const NameFilter filter(row.states);
    std::erase_if(kept.entries,
                  [&](const reports::Entry& entry) { return !takes(row, filter, entry.record); });
    const reports::Drawing drawn = figure.draw(figure, kept, {});
    EXPECT_TRUE(drawn.chart) << row.figure << ": " << drawn.reason;
    if (drawn.chart) {
      EXPECT_EQ(marks_of(drawn), marks_of(whole)) << row.figure;
    }
  }
}

TEST(KeepWhatIsDrawn, LeavesFamiliesProbesAndPassesOfAFigure) {
  json document{{"name", "all"},
                {"counters", true},
                {"energy", "winners"},
                {"families", {{"fm_index", json::object()}, {"papara", json::object()}}},
                {"probes", {{"latency", json::object()}, {"random_access", json::object()}}}};
  json of_kernels = document;
  keep_what_is_drawn(reproduction_of("fm-index/fig8"), of_kernels);
  EXPECT_EQ(of_kernels["families"].size(), 1u);
  EXPECT_TRUE(of_kernels["probes"].empty());
  EXPECT_FALSE(of_kernels.contains("counters"));
  EXPECT_FALSE(of_kernels.contains("energy"));
  EXPECT_EQ(of_kernels["probe_budget_s"], 0);
  json of_probes = document;
  keep_what_is_drawn(reproduction_of("latency"), of_probes);
  EXPECT_TRUE(of_probes["families"].empty());
  EXPECT_TRUE(of_probes["probes"].contains("latency"));
  json of_ceilings = document;
  keep_what_is_drawn(reproduction_of("fm-index/ceiling"), of_ceilings);
  EXPECT_FALSE(of_ceilings.contains("probe_budget_s"));
}

}  // namespace
}  // namespace gpuseq::bench
