#include "bench/measure/name_filter.hpp"

#include <benchmark/benchmark.h>
#include <gtest/gtest.h>

#include <sstream>

#include "bench/measure/google_benchmark.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

const std::vector<std::string> kStates{"toy/steady/size=1/speed=1,d=64/cpu",
                                       "toy/wrong/size=2/speed=2,d=128/cuda:0"};

std::vector<std::string> let_through(const std::string& filter) {
  const NameFilter name_filter(filter);
  std::vector<std::string> names;
  for (const std::string& state : kStates)
    if (name_filter.lets_through(state)) names.push_back(benchmark_name(state));
  return names;
}

class SilentReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

/// The list that Google Benchmark itself prints of these states.
std::vector<std::string> listed_by_the_library(const std::string& filter) {
  char name[] = "test";
  std::string list = "--benchmark_list_tests=true";
  char* arguments[] = {name, list.data(), nullptr};
  int count = 2;
  benchmark::Initialize(&count, arguments);
  for (const std::string& state : kStates)
    benchmark::RegisterBenchmark(state.c_str(), [](benchmark::State&) {})->Iterations(1)->UseManualTime();
  SilentReporter reporter;
  std::stringstream lines;
  reporter.SetOutputStream(&lines);
  reporter.SetErrorStream(&lines);
  benchmark::RunSpecifiedBenchmarks(&reporter, filter);
  benchmark::ClearRegisteredBenchmarks();
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("Failed to match any")) names.push_back(line);
  return names;
}

TEST(NameFilter, LetsThroughWhatGoogleBenchmarkDoes) {
  for (const char* filter : {"",
                             "all",
                             "-",
                             "-all",
                             ".",
                             "-.",
                             "-steady",
                             "--steady",
                             "steady",
                             "STEADY",
                             "steady$",
                             "cpu$",
                             "manual_time$",
                             "/cpu/iterations:1/manual_time$",
                             "-manual_time$",
                             "^toy",
                             "^steady",
                             "^^toy",
                             "$$",
                             "iterations",
                             "speed=(1|2)",
                             "speed=1,d",
                             "speed=1.d",
                             "d=[0-9]{2}/",
                             "d=[0-9]{3}",
                             "[[:digit:]]=?",
                             "[^a-z]d=6",
                             "|x",
                             "x|",
                             "()",
                             "(a|b)+?",
                             "cuda:0",
                             "all|x",
                             "steady.*speed=[12]",
                             "]",
                             "}",
                             "^(toy/steady/size=1/speed=1,d=64/cpu|x\\.y)/iterations:1/"})
    EXPECT_EQ(let_through(filter), listed_by_the_library(filter)) << filter;
}

TEST(NameFilter, KeepsToItsTimeHoweverAnExpressionIsMade) {
  const std::string letters(20'000, 'x');
  std::string alternatives = "q";
  for (int i = 0; i < 5'000; ++i) alternatives += "|speed=" + std::to_string(1000 + i);
  const std::vector<std::string> filters{letters, "(.*)*x$", "(a*)*(a|aa)*(x+x+)+y", "(((((.*)*)*)*)*)*!$",
                                         alternatives};
  for (const std::string& filter : filters) {
    const NameFilter name_filter(filter);
    for (int i = 0; i < 1'000; ++i)
      EXPECT_FALSE(name_filter.lets_through(kStates[0] + std::to_string(i) + std::string(100, 'x')));
  }
}

std::string refusal_of(const std::string& filter) {
  try {
    const NameFilter unused(filter);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(NameFilter, SaysWhatIsWrongWithAnExpressionAndWhere) {
  for (const char* filter :
       {"speed=(1|2", "speed=1)|2", "-speed=1)|2", "[a]x[b", "[**]a**", "a|*b", "ab\\", "x{1001}", "(x)\\1"})
    expect_text(refusal_of(filter));
  EXPECT_NE(refusal_of("a\xff").find("invalid UTF-8 (at byte 2)"), std::string::npos);
  EXPECT_LT(refusal_of(std::string(50'000, '(')).size(), 300u);
}

TEST(NameFilter, AnExpressionThatIsTooLargeIsRefused) {
  expect_text(refusal_of("([a-y]" + std::string(2'000, 'x') + "){1000}"));
}

TEST(NameFilter, AFlagWithAMalformedFilterIsNotTaken) {
  std::vector<std::string> arguments{"--benchmark_filter=(", "plan"};
  EXPECT_THROW(take_benchmark_flags(arguments), UsageError);
  arguments = {"--benchmark_filter=a", "--benchmark_filter=b", "--benchmark_repetitions=2"};
  const BenchmarkFlags flags = take_benchmark_flags(arguments);
  EXPECT_EQ(flags.filter, "b");
  EXPECT_EQ(flags.repetitions, 2);
}

}  // namespace
}  // namespace gpuseq::bench
