#include <gmock/gmock.h>

#include <sstream>

#include "bench/commands/profile/compare_profiles.hpp"
#include "bench/profile/machine_profile.hpp"
#include "bench/profile/profile_file.hpp"
#include "bench/run/terminal/terminal.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/bench/lines.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"
#include "tests/source_dir.hpp"

// `machine` as a process, on runs that are finished.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class MachineCommand : public ::testing::Test {
 protected:
  /// A copy of a committed run, which the profile is written into.
  fs::path copied(const std::string& run) const {
    const fs::path dir = scratch_ / run;
    fs::create_directory(dir);
    for (const char* file : {"records.jsonl", "run.json"}) fs::copy(run_dir(run) / file, dir / file);
    return dir;
  }
  static std::string compared(nlohmann::ordered_json h100, nlohmann::ordered_json h200) {
    const std::vector<NamedProfile> profiles{{"h100-instructions", std::move(h100)},
                                             {"h200-exact-match", std::move(h200)}};
    return comparison_text(devices_of(profiles));
  }
  /// The text with lines that were broken, or might have been, in one piece.
  static std::string joined(std::string text) {
    const std::string next_line = "\n" + std::string(13, ' ');
    for (std::size_t at = 0; (at = text.find(next_line, at)) != std::string::npos;)
      text.replace(at, next_line.size(), " ");
    return text;
  }
  Scratch scratch_;
};

TEST_F(MachineCommand, PrintsNoLineThatIsLongerThanATerminal) {
  const Result printed = result_of(scratch_, "machine", {run_dir("x86-cpu")});
  std::istringstream lines(printed.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), Terminal::kUsualWidth) << line;
  EXPECT_THAT(printed.out, HasSubstr("under load"));
}

TEST_F(MachineCommand, SaysWhatAFolderWithoutARunLacks) {
  const Result result =
      result_of(scratch_, "machine", {run_dir("x86-cpu"), source_dir() / "results/h200-papers"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("h200-papers: has no records.jsonl"));
}

TEST_F(MachineCommand, PrintsTheProfileOfARunAndWritesItWhereAsked) {
  const fs::path dir = copied("h100-instructions");
  const Result printed = result_of(scratch_, "machine", {dir});
  EXPECT_EQ(printed.code, 0) << printed.err;
  EXPECT_EQ(std::distance(fs::directory_iterator(dir), fs::directory_iterator()), 2) << "writes into the run";
  const Result result = result_of(scratch_, "machine", {dir, "--output", dir});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with(printed.out)) << result.out;
  const nlohmann::ordered_json profile = read_profile(dir);
  const std::string text = joined(profile_text(profile));
  EXPECT_TRUE(joined(result.out).starts_with(text)) << result.out;
  expect_text(lines_beyond(joined(result.out), text));
  EXPECT_EQ(profile["schema_version"], kProfileSchemaVersion);
  EXPECT_TRUE(profile["devices"].contains("cuda:0"));
}

TEST_F(MachineCommand, PrintsAProfileAndComparesSeveral) {
  setenv("GPUSEQ_PYTHON", "", 1);  // the package of the checkout
  const fs::path h100 = copied("h100-instructions"), h200 = copied("h200-exact-match");
  for (const fs::path& dir : {h100, h200})
    ASSERT_EQ(result_of(scratch_, "machine", {dir, "--output", dir}).code, 0);
  const Result printed = result_of(scratch_, "machine", {h100 / "machine.json"});
  EXPECT_EQ(printed.code, 0) << printed.err;
  EXPECT_EQ(joined(printed.out), joined(profile_text(read_profile(h100))));
  const fs::path out = scratch_ / "both";
  const Result both = result_of(scratch_, "machine", {h100 / "machine.json", h200, "--output", out});
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_TRUE(both.out.starts_with(compared(read_profile(h100), read_profile(h200)))) << both.out;
  const nlohmann::json figure = read_json(out / "machines.vl.json");
  EXPECT_THAT(figure.dump(), HasSubstr("NVIDIA H200"));
  EXPECT_THAT(figure.dump(), HasSubstr("NVIDIA H100"));
  const Result bad = result_of(scratch_, "machine", {scratch_.write("bad.json", "{}"), h200});
  EXPECT_EQ(bad.code, 2);
  expect_text(bad.err);
}

TEST_F(MachineCommand, WritesTheProfileOfARunWhereOutputSays) {
  const fs::path dir = copied("h100-instructions"), out = scratch_ / "elsewhere";
  const Result result = result_of(scratch_, "machine", {dir, "--output", out});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(fs::exists(out / "machine.json"));
  EXPECT_FALSE(fs::exists(dir / "machine.json"));
}

TEST_F(MachineCommand, ComparesRunsWithoutProfilesAndLeavesThemAsTheyWere) {
  const fs::path h100 = copied("h100-instructions"), h200 = copied("h200-exact-match"),
                 out = scratch_ / "both";
  const Result both = result_of(scratch_, "machine", {h100, h200, "--output", out});
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_FALSE(fs::exists(h100 / "machine.json"));
  for (const fs::path& dir : {h100, h200})
    ASSERT_EQ(result_of(scratch_, "machine", {dir, "--output", dir}).code, 0);
  EXPECT_TRUE(both.out.starts_with(compared(read_profile(h100), read_profile(h200)))) << both.out;
  EXPECT_EQ(result_of(scratch_, "machine", {h100, scratch_ / "none"}).code, 2);
}

TEST_F(MachineCommand, ComparesOperationsInTheOrderOfTheirNames) {
  const nlohmann::ordered_json profile = read_profile(run_dir("h200"));
  nlohmann::ordered_json shuffled = profile;
  for (auto& [id, device] : shuffled["devices"].items())
    for (const char* rates : {"sequential", "instructions"}) std::ranges::reverse(device[rates]);
  EXPECT_EQ(compared(shuffled, profile), compared(profile, shuffled));
  const std::string text = compared(shuffled, profile);
  EXPECT_LT(text.find("add_u8 avx2"), text.find("xor avx512"));
  EXPECT_LT(text.find("in order, copy, 1 thread"), text.find("in order, write, all threads"));
}

TEST_F(MachineCommand, RefusesOptionsThatWouldDoNothing) {
  const fs::path dir = copied("h100-instructions");
  const fs::path profile = scratch_.write("profile.json", "{}");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{dir, "--show"},
                                             {dir, "--renew"},
                                             {dir, profile, "--show"},
                                             {dir, "--device", "cpu"},
                                             {dir, "--set", "seed=1"},
                                             {profile, "--output", scratch_ / "out"},
                                             {"--show", "--output", scratch_ / "out"}}) {
    const Result refused = result_of(scratch_, "machine", arguments);
    EXPECT_EQ(refused.code, 2);
    expect_text(refused.err);
  }
}

TEST_F(MachineCommand, RefusesWhatIsNoRunWithProbes) {
  const Result nothing = result_of(scratch_, "machine", {scratch_ / "none"});
  EXPECT_EQ(nothing.code, 2);
  expect_text(nothing.err);
  const fs::path dir = scratch_ / "empty";
  fs::create_directory(dir);
  scratch_.write("empty/records.jsonl", "");
  const Result empty = result_of(scratch_, "machine", {dir});
  EXPECT_EQ(empty.code, 2);
  expect_text(empty.err);
  EXPECT_FALSE(fs::exists(dir / "machine.json"));
  EXPECT_EQ(result_of(scratch_, "machine", {"--effort", "great"}).code, 2);
  const fs::path foreign = copied("h100-instructions");
  for (const char* summary : {"[]", R"({"devices": 3})", R"({"devices": {"cuda:0": 5}})"}) {
    scratch_.write("h100-instructions/run.json", summary);
    const Result refused = result_of(scratch_, "machine", {foreign});
    EXPECT_EQ(refused.code, 2) << summary;
    expect_text(refused.err);
  }
}

}  // namespace
}  // namespace gpuseq::bench
