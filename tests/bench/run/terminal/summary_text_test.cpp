#include "bench/run/terminal/summary_text.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/bench/lines.hpp"
#include "tests/bench/records.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using nlohmann::ordered_json;

/// A winner as run.json has it.
ordered_json winner(const std::string& label, int bases, int k) {
  return {{"family", "toy"},
          {"problem", {{"bases", bases}}},
          {"problem_label", label},
          {"device", "cpu"},
          {"objective", {{"metric", "rate"}, {"direction", "max"}}},
          {"variant", "simd"},
          {"point", {{"k", k}, {"threads", 0}}},
          {"score", 1.2e9},
          {"rate", 1.2e9},
          {"rate_low", 1.1e9},
          {"rate_high", 1.3e9},
          {"confidence", 0.95},
          {"samples", 20},
          {"rate_unit", "query bases/s"},
          {"measured_again", true},
          {"fraction_of_bound", 0.61},
          {"bound_by", "DRAM"},
          {"runners_up", ordered_json::array()}};
}

ordered_json run_of(ordered_json winners) {
  return {{"devices", ordered_json::object()},
          {"counts", {{"ok", 3}, {"failed", 0}, {"skipped", 0}}},
          {"probe_points", ordered_json::object()},
          {"tuned", std::move(winners)}};
}

results::Record record_of(const std::string& label, int bases, int k) {
  results::Record record = ok_record({"toy", "simd", {{"bases", bases}}, {{"k", k}, {"threads", 0}}, "cpu"},
                                     "kernel", "tune", {1e6, "query bases"}, std::vector<double>(20, 1e-3));
  record.problem_label = label;
  return record;
}

std::string text_of(const ordered_json& summary, std::size_t width = 100) {
  const std::vector<results::Record> records{record_of("ecoli, queries of 100 bases", 1, 1),
                                             record_of("chr20, queries of 100 bases", 2, 2)};
  return summary_text(summary, records, Terminal::plain(width));
}

/// Expects the text that a run has beyond that of another one.
void expect_beyond(const ordered_json& summary, const ordered_json& other) {
  expect_text(lines_beyond(text_of(summary, 160), text_of(other, 160)));
}

TEST(SummaryText, SaysWhatAUserWaitsForWhereThatIsKnown) {
  ordered_json one = winner("ecoli, queries of 100 bases", 1, 1);
  one["waits"] = {{"kernel_s", 0.012},
                  {"total_s", 0.222},
                  {"parts", {{"index", 0.21}, {"kernel", 0.012}}},
                  {"best", nullptr}};
  expect_beyond(run_of({one}), run_of({winner("ecoli, queries of 100 bases", 1, 1)}));
}

TEST(SummaryText, SaysWhereNothingKeepsToTheLimit) {
  ordered_json run = run_of(ordered_json::array());
  run["nothing_fits"] = {{{"family", "toy"}, {"device", "cpu"}, {"max_bytes", 1000}, {"least", nullptr}}};
  expect_beyond(run, run_of(ordered_json::array()));
}

TEST(SummaryText, HasATableAFamilyWithTheWinnersOfItsProblems) {
  expect_text(text_of(
      run_of({winner("ecoli, queries of 100 bases", 1, 1), winner("chr20, queries of 100 bases", 2, 2)})));
}

ordered_json sized_winner(const std::string& device, int bases) {
  ordered_json one = winner(std::to_string(bases) + " bases, chr20", bases, 1);
  one["device"] = device;
  one["size"] = {{"axis", "bases"}, {"noun", "bases"}, {"value", bases}};
  return one;
}

std::string sized_text_of(std::size_t width) {
  std::vector<results::Record> records;
  for (const int bases : {512, 16384})
    records.push_back(record_of(std::to_string(bases) + " bases, chr20", bases, 1));
  records.push_back(records.front());
  records.back().kind = "tool";
  records.back().phase = "sweep";
  records.back().state.variant = "other_program";
  records.back().size = results::ProblemSize{.axis = "bases", .noun = "bases", .value = 512};
  return summary_text(run_of({sized_winner("cuda:0", 16384), sized_winner("cpu", 512)}), records,
                      Terminal::plain(width));
}

TEST(SummaryText, ComparesDevicesAtTheirOwnSizesAndTools) {
  expect_text(sized_text_of(120));
}

TEST(SummaryText, WrapsBetweenWordsInNarrowTerminals) {
  expect_text(sized_text_of(60));
}

TEST(SummaryText, ShowsTheBytesThatAWinnerHolds) {
  ordered_json one = winner("ecoli", 1, 1);
  one["memory"] = {{"bytes", 158000000}, {"parts", {{"index", 158000000}}}};
  expect_beyond(run_of({one}), run_of({winner("ecoli", 1, 1)}));
}

TEST(SummaryText, NamesTheWinnerWithoutALimitBelowTheOneWithin) {
  ordered_json one = winner("ecoli, queries of 100 bases", 1, 1);
  one["without_limit"] = winner("", 1, 2);
  expect_beyond(run_of({one}), run_of({winner("ecoli, queries of 100 bases", 1, 1)}));
}

TEST(SummaryText, ExplainsItsLettersUnderTheTable) {
  ordered_json few = winner("ecoli, queries of 100 bases", 1, 1),
               none = winner("chr20, queries of 100 bases", 2, 2);
  few["confidence"] = 0.875;
  few["samples"] = 4;
  none["rate_low"] = none["rate_high"] = none["confidence"] = none["fraction_of_bound"] = nullptr;
  none["interval_reason"] = "one sample has no interval";
  none["fraction_of_bound_reason"] = "no probe of 64 B blocks ran";
  none.erase("bound_by");
  ordered_json summary = run_of({few, none});
  summary["host_load"] = {{"others_share", 0.4}, {"steal_share", 0.0}};
  expect_text(text_of(summary, 160));
}

TEST(SummaryText, NamesTheOthersOfATie) {
  ordered_json one = winner("ecoli", 1, 1);
  one["tied_with"] = {{{"variant", "tree"}, {"point", {{"k", 4}}}}, {{"variant", "scalar"}}};
  one["memory"] = {{"bytes", 8}};
  ordered_json alone = one;
  alone.erase("tied_with");
  expect_beyond(run_of({one}), run_of({alone}));
}

TEST(SummaryText, SaysThatRoundsDisagree) {
  ordered_json one = winner("ecoli", 1, 1);
  one["confidence"] = 0.5;
  one["rounds"] = 2;
  expect_beyond(run_of({one}), run_of({winner("ecoli", 1, 1)}));
}

TEST(SummaryText, SaysWhyAProblemHasNoWinner) {
  ordered_json run = run_of(ordered_json::array());
  run["no_rate"] = {{{"family", "toy"},
                     {"problem", {{"size", 1}}},
                     {"problem_label", ""},
                     {"device", "cpu"},
                     {"reason", "the work of a launch is 0 toys, which gives no rate above 0"}}};
  expect_beyond(run, run_of(ordered_json::array()));
}

TEST(SummaryText, OfTuneHasAParagraphAWinner) {
  ordered_json one = winner("ecoli", 1, 1);
  one["tied_with"] = ordered_json::array();
  one["race"] = {{"rounds", 3}, {"raced", 4}, {"left_out", 0}};
  ordered_json run = run_of({one});
  const ordered_json of_run = run;
  run["invocation"] = {{"command", {"tune", "toy"}}};
  expect_beyond(run, of_run);
}

TEST(SummaryText, FitsTheTerminal) {
  ordered_json one =
      winner("a label of many words, with several parts, which is long, queries of 100 bases", 1, 1);
  one["point"]["memory"] = "texture_linear";
  for (const std::size_t width : {80u, 100u, 160u}) {
    std::istringstream lines(text_of(run_of({one, winner("chr20, queries of 100 bases", 2, 2)}), width));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), width) << line;
  }
}

TEST(SummaryText, MarksAWinnerAboveItsBound) {
  std::vector<results::Record> records{record_of("ecoli", 1, 1)};
  records.front().bound = {results::Bound{.rate = 1e8, .bound_by = "DRAM", .explanation = "", .fraction = 10},
                           ""};
  ordered_json one = winner("ecoli", 1, 1);
  one["fraction_of_bound"] = 10;
  const std::string text = summary_text(run_of({one}), records, Terminal::plain());
  expect_text(lines_beyond(text, text_of(run_of({winner("ecoli", 1, 1)}))));
}

}  // namespace
}  // namespace gpuseq::bench
