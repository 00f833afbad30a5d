#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/page/machine_cards.hpp"
#include "tests/reports/example_run.hpp"

namespace gpuseq::reports::machine_cards {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Two runs of the example, whose GPUs have the given fingerprints.
ReportData two_runs(const std::string& first, const std::string& second) {
  ReportData data;
  for (const std::string& name : std::vector<std::string>{"a", "b"}) {
    data.runs.push_back({.dir = name, .name = name, .summary = example::summary()});
    data.runs.back().summary["devices"].erase("cpu");
    Entry entry{
        .record = example::records().front(), .device_name = "H200 of " + name, .run = data.runs.size() - 1};
    entry.device_fingerprint = name == "a" ? first : second;
    data.entries.push_back(std::move(entry));
  }
  return data;
}

std::string cards_of(const ReportData& data) {
  PlotWriter plots(/*with_scripts=*/true);
  return machines(data, plots);
}

TEST(Machines, RunsOnOneDeviceShareItsCard) {
  const std::string html = cards_of(two_runs("same", "same"));
  EXPECT_EQ(count(html, "<article"), 1u);
  EXPECT_THAT(html, HasSubstr("in runs a, b"));
}

TEST(Machines, DevicesOfOneDescriptionAreKeptApartByTheirFingerprints) {
  const std::string html = cards_of(two_runs("one", "another"));
  EXPECT_EQ(count(html, "<article"), 2u);
  EXPECT_THAT(html, HasSubstr("H200 of a"));
  EXPECT_THAT(html, HasSubstr("H200 of b"));
}

TEST(Machines, SayWhatDecidesSpeedInWordsAndUnits) {
  const std::string html = cards_of(two_runs("same", "same"));
  EXPECT_THAT(html, HasSubstr("<dt>Multiprocessors</dt><dd>132</dd>"));
  EXPECT_THAT(html, HasSubstr("<dt>Memory</dt><dd>140 GiB</dd>"));
  EXPECT_THAT(html, HasSubstr("<dt>mig</dt><dd>not available: not enabled</dd>"));
}

TEST(Machines, EscapeWhatARunSays) {
  ReportData data = two_runs("same", "same");
  data.runs[0].name = data.entries[0].device_name = "<img>";
  EXPECT_THAT(cards_of(data), Not(HasSubstr("<img>")));
}

TEST(Machines, HaveTheirCurveAndTheirLevels) {
  const std::string html = cards_of(example::data());
  EXPECT_EQ(count(html, "<figure id=\"device-"), 2u);
  EXPECT_EQ(count(html, " data-unfiltered"), 2u);  // a filter of a family leaves them
  EXPECT_THAT(html, HasSubstr("<dt>Levels measured</dt><dd>level 1: 234 KiB (197 KiB to 281 KiB); L2 near"));
}

TEST(Machines, AreNoneWithoutASummary) {
  ReportData data = two_runs("same", "same");
  for (auto& run : data.runs) run.summary = nullptr;
  EXPECT_EQ(cards_of(data), "");
}

}  // namespace
}  // namespace gpuseq::reports::machine_cards
