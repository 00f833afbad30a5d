#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "reports/comparison/outputs.hpp"
#include "reports/comparison/words.hpp"
#include "runtime/system/random.hpp"
#include "tests/reports/comparison/comparison_sides.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::comparison {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A comparison with every verdict, made up.
Comparison every_verdict() {
  Comparison comparison;
  comparison.base_name = "runs/base";
  comparison.new_name = "runs/new";
  for (const Verdict verdict : {Verdict::failed, Verdict::missing, Verdict::regressed, Verdict::inconclusive,
                                Verdict::added, Verdict::same, Verdict::improved}) {
    StateComparison state;
    state.state = {"fm_index", std::string(to_string(verdict)), {}, {{"k", 2}}, "cpu"};
    state.verdict = verdict;
    if (verdict == Verdict::failed || verdict == Verdict::missing || verdict == Verdict::added) {
      state.reason = fmt::format("why {}", to_string(verdict));
    } else {
      state.ratio = verdict == Verdict::regressed ? 1.12 : 1;
      state.low = state.ratio * 0.99;
      state.high = state.ratio * 1.01;
      state.p = state.q = 0.001;
      state.noise_floor = state.threshold = 0.03;
      state.base_median_s = 0.01;
      state.new_median_s = 0.01 * state.ratio;
      state.base_rate = 1e8;
      state.new_rate = 1e8 / state.ratio;
      state.rate_unit = "query bases/s";
      state.base_units = state.new_units = 8;
      state.unit = "process";
    }
    comparison.states.push_back(state);
  }
  comparison.differences = {{"program/commit", "aaaa", "bbbb", false}};
  comparison.skipped_on_both = 2;
  return comparison;
}

/// What would break a format that does not escape it.
constexpr const char* kHostile =
    "]]> </testcase> & \"quoted\" 'x' %0A::error::\n|`*_<b>@me #1 \x01\x7f \xff\xfe \xef\xbf\xbf \xc3\xa9";

Comparison hostile() {
  Comparison comparison = every_verdict();
  comparison.base_name = comparison.new_name = kHostile;
  for (StateComparison& state : comparison.states) {
    state.state.variant = kHostile;
    state.reason = kHostile;
  }
  comparison.differences = {{kHostile, kHostile, kHostile, false}};
  return comparison;
}

/// Root element's counts of a document as Python's XML parser reads it: "tests failures skipped, elements".
std::string parsed(const std::string& xml) {
  const TemporaryFolder folder;
  const auto file = folder.write("junit.xml", xml);
  const auto script = folder.write("parse.py", R"(
import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot().find("testsuite")
print(suite.get("tests"), suite.get("failures"), suite.get("skipped"), len(suite.findall("testcase")),
      len(suite.findall("testcase/failure")), len(suite.findall("testcase/skipped")), end="")
)");
  const std::string command = fmt::format("python3 {} {}", script.string(), file.string());
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0);
  return output;
}

TEST(Table, ShowsTheWorstFirstAndTotalsLast) {
  const std::string table = to_table(every_verdict());
  EXPECT_LT(table.find("failed "), table.find("regressed "));
  EXPECT_THAT(table,
              AllOf(HasSubstr("program/commit: aaaa -> bbbb"), HasSubstr("+12 %"), HasSubstr("why missing"),
                    HasSubstr("1 failed, 1 missing, 1 regressed, 1 inconclusive, 1 new, 1 same, 1 improved, "
                              "2 skipped on both sides"),
                    testing::EndsWith("(of 7).\n")));
  EXPECT_THAT(table, Not(HasSubstr("fm_index/same")));
  EXPECT_THAT(to_table(every_verdict(), true), HasSubstr("fm_index/same"));
}

TEST(Markdown, PutsTheVerdictFirstAndFoldsWhatIsTheSame) {
  const std::string markdown = to_markdown(every_verdict());
  EXPECT_THAT(markdown,
              StartsWith("**Not fine: 1 state slower, the worst by +12 %; 1 state failed; 1 state missing"));
  const std::size_t folded = markdown.find("<details><summary>1 state is the same");
  ASSERT_NE(folded, std::string::npos);
  EXPECT_GT(markdown.find("`fm_index/same/cpu`"), folded);
  EXPECT_LT(markdown.find("`fm_index/regressed/cpu`"), folded);
  EXPECT_THAT(markdown, HasSubstr("| `program/commit` | aaaa | bbbb |"));
}

TEST(Markdown, FitsACommentWhateverTheNumberOfStates) {
  Comparison comparison = every_verdict();
  for (int i = 0; i < 5000; ++i)
    comparison.states.push_back(comparison.states[static_cast<std::size_t>(i % 7)]);
  const std::string markdown = to_markdown(comparison);
  EXPECT_LT(markdown.size(), 65536u);
  EXPECT_THAT(markdown, HasSubstr("more."));
}

TEST(Markdown, KeepsItsTableWhateverNamesHold) {
  const std::string markdown = to_markdown(hostile());
  EXPECT_THAT(markdown, AllOf(Not(HasSubstr("<b>@me #1 \x01\x7f \xff\xfe \xef\xbf\xbf \xc3\xa9 | aaaa")),
                              Not(HasSubstr("\n::error"))));
  for (std::size_t at = markdown.find("| failed"); at < markdown.find("| improved");
       at = markdown.find('\n', at) + 1) {
    const std::string line = markdown.substr(at, markdown.find('\n', at) - at);
    if (!line.starts_with("| ")) break;
    int bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    EXPECT_EQ(bars, 8) << line;
  }
}

TEST(Junit, CountsRegressedMissingAndFailedAsFailures) {
  EXPECT_EQ(parsed(to_junit(every_verdict())), "7 3 1 7 3 1");
  Comparison lenient = every_verdict();
  lenient.options.allow_missing = true;
  EXPECT_EQ(parsed(to_junit(lenient)), "7 2 2 7 2 2");
}

TEST(Junit, NamesACaseShortlyAndHasItsKeyInTheBody) {
  Comparison comparison = every_verdict();
  for (StateComparison& state : comparison.states) {
    state.state.problem = {{"reference", std::string("ecoli")}};
    state.problem_label = "ecoli, 4.94 Mbases";
  }
  const std::string xml = to_junit(comparison);
  for (const char* variant : {"same", "regressed", "inconclusive"})
    EXPECT_THAT(xml, AllOf(HasSubstr(fmt::format("name=\"fm_index/{}/ecoli, 4.94 Mbases/cpu\"", variant)),
                           HasSubstr(fmt::format("state: fm_index/{}/reference=ecoli/k=2/cpu</", variant))));
}

TEST(Junit, IsWellFormedWhateverNamesHold) {
  EXPECT_EQ(parsed(to_junit(hostile())), "7 3 1 7 3 1");
}

TEST(Annotations, AreErrorsAndWarningsOfOneLineEach) {
  const std::string lines = to_annotations(every_verdict());
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 4);
  EXPECT_THAT(
      lines,
      AllOf(HasSubstr("::error title=regressed%3A fm_index/regressed::fm_index/regressed/cpu: +12 %25"),
            HasSubstr("::error title=missing"), HasSubstr("::error title=failed"),
            HasSubstr("::warning title=inconclusive"), Not(HasSubstr("same"))));
  const std::string escaped = to_annotations(hostile());
  EXPECT_EQ(std::count(escaped.begin(), escaped.end(), '\n'), 4);
  EXPECT_THAT(escaped, HasSubstr("%250A"));
}

TEST(Json, HoldsEveryStateWithNullForWhatThereIsNot) {
  Comparison comparison = every_verdict();
  comparison.states[3].noise_floor = comparison.states[3].threshold = std::numeric_limits<double>::infinity();
  const nlohmann::json json = nlohmann::json::parse(to_json(comparison));
  EXPECT_EQ(json["schema_version"], kComparisonSchemaVersion);
  EXPECT_EQ(json["exit_code"], 1);
  EXPECT_EQ(json["counts"]["regressed"], 1);
  ASSERT_EQ(json["states"].size(), 7u);
  EXPECT_TRUE(json["states"][0]["ratio"].is_null());
  EXPECT_EQ(json["states"][2]["ratio"], 1.12);
  EXPECT_TRUE(json["states"][3]["noise_floor"].is_null());
  EXPECT_EQ(json["states"][4]["verdict"], "new");
  EXPECT_TRUE(nlohmann::json::accept(to_json(hostile())));
}

TEST(Outputs, CountTheProcessesThatNeighboursDisturbed) {
  Comparison comparison = every_verdict();
  EXPECT_THAT(to_table(comparison), Not(HasSubstr("Neighbours")));
  comparison.states[2].base_left_out = 3;
  comparison.states[3].new_left_out = 1;
  const char* const text =
      "Neighbours on the host disturbed some processes, which were left out: of 2 states, at most 3 "
      "processes a "
      "side.";
  EXPECT_THAT(to_table(comparison), HasSubstr(text));
  EXPECT_THAT(to_markdown(comparison), HasSubstr(text));
  const nlohmann::json json = nlohmann::json::parse(to_json(comparison));
  EXPECT_EQ(json["states"][2]["base"]["left_out"], 3);
  EXPECT_EQ(json["states"][2]["new"]["left_out"], 0);
}

TEST(Headline, SaysWhatIsTheCase) {
  Comparison comparison;
  EXPECT_EQ(headline(comparison), "Fine: none of 0 states is slower by more than 3 %.");
  comparison.states.resize(3);
  EXPECT_EQ(headline(comparison), "Inconclusive: 3 of 3 states cannot be decided; none is known slower.");
  for (StateComparison& state : comparison.states) state.verdict = Verdict::improved;
  EXPECT_EQ(headline(comparison), "Fine: none of 3 states is slower by more than 3 %; 3 states faster.");
}

TEST(Outputs, EndWithoutACrashOnRandomText) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    Comparison comparison = every_verdict();
    for (StateComparison& state : comparison.states)
      for (std::uint64_t n = random.below(60); n > 0; --n)
        state.reason += static_cast<char>(1 + random.below(255));
    EXPECT_TRUE(nlohmann::json::accept(to_json(comparison)));
    const std::string all = to_table(comparison) + to_markdown(comparison) + to_annotations(comparison);
    EXPECT_FALSE(all.empty());
    if (i < 10) {
      EXPECT_EQ(parsed(to_junit(comparison)), "7 3 1 7 3 1");
    }
  }
}

}  // namespace
}  // namespace gpuseq::comparison
