#include "reports/page/winners.hpp"

#include <gmock/gmock.h>

#include "runtime/io/expression.hpp"
#include "tests/reports/example_run.hpp"

namespace gpuseq::reports {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

/// The example run, in which the winner is the first state of the GPU's searches that has its point.
ReportData run_with_winner() {
  ReportData data = example::data();
  for (const Entry& entry : data.entries) {
    const results::StateKey& state = entry.record.state;
    if (state.family != "fm_index" || state.device != "cuda:0" || entry.record.kind != "kernel") continue;
    json& winner = data.runs[0].summary["tuned"][0];
    winner["variant"] = state.variant;
    winner["problem"] = state.problem.to_json();
    winner["point"] = state.point.to_json();
    break;
  }
  data.runs[0].summary["config_source"] = "configs/my runs.json";
  return data;
}

ExecUses uses() {
  return {{"fm_index",
           {.roles = {"reference", "queries"},
            .variants = {"task_parallel", "full_cooperative"},
            .options = {{.axis = "query_bases"}, {.axis = "queries", .is_flag = true}}}}};
}

TEST(ShellWord, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_word("k=2,d=64"), "k=2,d=64");
  EXPECT_EQ(shell_word("my runs"), "'my runs'");
  EXPECT_EQ(shell_word("$(it's)"), "'$(it'\\''s)'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(LiteralExpression, MatchesItsTextAndNothingElse) {
  for (const std::string text :
       {"fm_index/one_hot/a=1.5,b=x|y/c=(2)/cuda:0", "a+b*c?[d]{2}^$\\", "Größe, 1 - 2"}) {
    const Expression expression("^" + literal_expression(text) + "$", "test");
    EXPECT_TRUE(expression.is_in(text)) << literal_expression(text);
    EXPECT_FALSE(expression.is_in(text + "0"));
  }
  EXPECT_FALSE(Expression(literal_expression("a.b"), "test").is_in("axb"));
}

TEST(Winners, HaveTheRecordOfTheirState) {
  const ReportData data = run_with_winner();
  const std::vector<Winner> winners = winners_of(data);
  ASSERT_EQ(winners.size(), 1u);
  ASSERT_NE(winners[0].entry, nullptr);
  EXPECT_EQ(json(winners[0].entry->record.state.point.to_json()), (*winners[0].reached.winner)["point"]);
  EXPECT_EQ(winners[0].reached.device_name, example::kGpu);
}

TEST(MeasureLine, FiltersItsStateOutOfTheRunsConfigItsDataAndItsOverrides) {
  ReportData data = run_with_winner();
  data.runs[0].summary["invocation"] = {
      {"data", json::array({"reference=my x.fa"})},
      {"overrides", {"sampling.max_samples=7", "output=\"runs/mine\"", "name=\"it's\""}}};
  const Winner winner = winners_of(data).front();
  const std::string line = measure_line(winner, data), state = winner.entry->record.state.to_string();
  EXPECT_THAT(line, HasSubstr("./gpuseq-bench run --config 'configs/my runs.json' --data 'reference=my x.fa' "
                              "--set sampling.max_samples=7 --set 'name=\"it'\\''s\"'"));
  EXPECT_THAT(line, HasSubstr(" --device cuda:0 "));
  EXPECT_THAT(line, HasSubstr(literal_expression(state + "/iterations")));
}

TEST(MeasureLine, IsOfTheCommandThatMadeTheRunsConfig) {
  ReportData data = run_with_winner();
  data.runs[0].summary["invocation"] = {{"command", json::array({"tune", "fm_index"})}};
  EXPECT_THAT(measure_line(winners_of(data).front(), data),
              HasSubstr("./gpuseq-bench tune fm_index --config 'configs/my runs.json' --device cuda:0 "));
}

TEST(MeasureLine, IsNoneWithoutARecordOrAConfig) {
  ReportData data = run_with_winner();
  data.runs[0].summary.erase("config_source");
  EXPECT_EQ(measure_line(winners_of(data).front(), data), "");
  data = run_with_winner();
  data.runs[0].summary["tuned"][0]["point"]["k"] = 77;
  EXPECT_EQ(measure_line(winners_of(data).front(), data), "");
}

TEST(ExecLine, HasThePointTheRolesAndTheOptionsThatTheProblemSets) {
  ReportData data = run_with_winner();
  const std::string line = exec_line(winners_of(data).front(), uses());
  const std::string point = winners_of(data).front().entry->record.state.point.to_string();
  EXPECT_EQ(line, "./gpuseq-bench exec fm_index --variant task_parallel --point " + point +
                      " --query-bases 100 --data reference=REFERENCE --data queries=QUERIES --device cuda:0 "
                      "--out ANSWERS");
}

TEST(ExecLine, IsNoneOfWhatExecDoesNotTake) {
  ReportData data = run_with_winner();
  EXPECT_EQ(exec_line(winners_of(data).front(), {}), "");
  data.runs[0].summary["tuned"][0]["variant"] = "bowtie";
  EXPECT_EQ(exec_line(winners_of(data).front(), uses()), "");
}

TEST(WinnersHtml, HasATableAFamilyWithLinesAndJson) {
  const ReportData data = run_with_winner();
  const std::string html = winners_html(data, uses());
  EXPECT_THAT(html, HasSubstr("<h3>fm_index</h3>"));
  EXPECT_THAT(html, HasSubstr("Run it on your files, measure it again, JSON"));
  EXPECT_THAT(html, HasSubstr("&quot;rate_unit&quot;: &quot;query bases/s&quot;"));
  EXPECT_THAT(html, HasSubstr("data-of-record="));
  EXPECT_THAT(html, Not(HasSubstr("<th scope=\"col\">Memory</th>")));
  EXPECT_THAT(winners_html(data, {}), Not(HasSubstr(" exec ")));
}

TEST(WinnersHtml, HasMemoryAndWaitsWhereTheRunKnowsThem) {
  ReportData data = run_with_winner();
  data.runs[0].summary["tuned"][0]["memory"] = {{"bytes", 1 << 20}};
  data.runs[0].summary["tuned"][0]["waits"] = {{"total_s", 0.25}};
  const std::string html = winners_html(data, {});
  EXPECT_THAT(html, HasSubstr(">1 MiB</td>"));
  EXPECT_THAT(html, HasSubstr(">250 ms</td>"));
}

TEST(WinnersHtml, RunnersUpHaveTheirShareOfTheWinner) {
  ReportData data = run_with_winner();
  json& winner = data.runs[0].summary["tuned"][0];
  const json tie{{"variant", "tie"},
                 {"point", {{"k", 1}}},
                 {"rate", 7e10},
                 {"share_of_winner", 1.1},
                 {"measured_again", true}};
  winner["runners_up"] = {tie,
                          {{"variant", "slow"},
                           {"point", {{"k", 2}}},
                           {"rate", 9e10},
                           {"share_of_winner", 0.8},
                           {"measured_again", true}},
                          {{"variant", "swept"},
                           {"point", {{"k", 3}}},
                           {"rate", 8e10},
                           {"share_of_winner", 0.5},
                           {"measured_again", false}},
                          {{"variant", "old"}, {"point", {{"k", 4}}}, {"rate", 9.9e10}}};
  winner["tied_with"] = {tie};
  const std::string html = winners_html(data, {});
  EXPECT_THAT(html, HasSubstr("(a tie), k=1"));
  EXPECT_THAT(html, HasSubstr("(80 % of the winner in the same rounds), k=2"));
  EXPECT_THAT(html, HasSubstr("(50 % of the winner in the sweep), k=3"));
  EXPECT_THAT(html, ::testing::ContainsRegex("old: [^(<]*, k=4"))
      << "of an older run, whose rates are of single rounds";
}

}  // namespace
}  // namespace gpuseq::reports
