#include "bench/commands/tune_elsewhere.hpp"

#include <gmock/gmock.h>

#include "bench/base/registry.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/runtime/temporary_folder.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::bench {
namespace {

using ::testing::HasSubstr;

class TuneElsewhereByProbes : public ::testing::Test {
 protected:
  TuneElsewhere command(const char* family) const {
    TuneElsewhere made;
    made.family = family;
    made.machine = source_dir() / "results" / "h200-fm-index";
    made.output = folder_.path() / "out";
    return made;
  }
  std::string refusal(const TuneElsewhere& command, const ConfigChoice& config = {}) const {
    try {
      tune_elsewhere(command, config, registry_);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "none";
  }

  static ConfigChoice choice(const std::filesystem::path& config) {
    ConfigChoice chosen;
    chosen.path = config;
    return chosen;
  }

  TemporaryFolder folder_;
  Registry registry_ = make_registry();
};

TEST_F(TuneElsewhereByProbes, PredictsTheProblemsOfAConfig) {
  const auto config = folder_.write("search.json", R"({
    "name": "search",
    "families": {"fm_index": {
      "problems": [{"reference": "synthetic", "reference_bases": 100000000, "query_count": 1000000}],
      "variants": {"psi_lines_simd": {"k": [12, 13], "threads": 0}, "one_hot_simd": {"k": 2, "threads": 0}}}}})");
  ASSERT_EQ(tune_elsewhere(command("fm_index"), choice(config), registry_), ExitCode::fine);
  const nlohmann::json found = read_json(folder_.path() / "out" / "predicted.json");
  ASSERT_EQ(found.at("contests").size(), 1u);
  const nlohmann::json& contest = found.at("contests").at(0);
  EXPECT_EQ(contest.at("device"), "cpu");
  EXPECT_TRUE(contest.at("from_device").is_null());
  ASSERT_EQ(contest.at("ranking").size(), 3u);
  for (const nlohmann::json& one : contest.at("ranking")) {
    EXPECT_GT(one.at("rate"), 1e9);
    EXPECT_TRUE(one.at("rate_here").is_null());
  }
}

TEST_F(TuneElsewhereByProbes, SaysWhatFamiliesCannotTellBeforehand) {
  TuneElsewhere matches = command("exact_match");
  matches.against = {source_dir() / "results" / "h200-exact-match"};
  const auto without_data = folder_.write("none.json", R"({
    "name": "none", "families": {"exact_match": {"problems": [{}], "variants": {"tree": {}}}}})");
  EXPECT_THAT(refusal(matches, choice(without_data)), HasSubstr("stands in a file; allowed: --from"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out"));
}

TEST_F(TuneElsewhereByProbes, AsksForSizesThatOnlyARunWouldFind) {
  const auto config = folder_.write("sized.json", R"({
    "name": "sized",
    "families": {"fm_index": {
      "problems": [{"reference": "synthetic", "reference_bases": 1000000, "query_count": "auto"}],
      "variants": {"psi_lines_simd": {"k": 10}}}}})");
  EXPECT_THAT(refusal(command("fm_index"), choice(config)), HasSubstr("have their sizes"));
}

}  // namespace
}  // namespace gpuseq::bench
