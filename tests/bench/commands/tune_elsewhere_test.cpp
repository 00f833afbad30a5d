#include "bench/commands/profile/tune_elsewhere.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "bench/config/registry.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::bench {
namespace {

class TuneElsewhereTest : public ::testing::Test {
 protected:
  TuneElsewhere command(const char* family) const {
    TuneElsewhere made;
    made.family = family;
    made.machine = source_dir() / "configs/published/machine-titan.json";
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

/// Sections 3.3 and 5.3.2 of the FM-index paper: the drop lies at 2.5 GB, the largest index in front of it is
/// that of k = 2, d = 192 and alternate counters up to 3.5 G bases; at the human genome's 3 G, d = 64 is
/// beyond it.
TEST_F(TuneElsewhereTest, TellsWhatTheLevelsOfAPublishedProfileHold) {
  const auto config = folder_.write("titan.json", R"({
    "name": "titan",
    "families": {"fm_index": {
      "problems": [{"reference": "synthetic", "reference_bases": [300000000, 3100000000, 3500000000, 4000000000],
                    "query_count": 1000000}],
      "variants": {"full_cooperative": [
        {"k": 2, "d": [64, 192], "counters": ["full", "alternate"], "lanes_per_query": 4, "prefix_symbols": 0},
        {"k": 1, "d": 192, "lanes_per_query": 4, "prefix_symbols": 0}]}}}})");
  ASSERT_EQ(tune_elsewhere(command("fm_index"), choice(config), registry_), ExitCode::fine);
  const nlohmann::json found = read_json(folder_.path() / "out" / "predicted.json");
  EXPECT_TRUE(found.at("contests").empty());
  std::map<std::string, std::vector<std::string>> levels;  // over reference_bases
  for (const nlohmann::json& one : found.at("within_levels")) {
    const auto& point = one.at("point");
    levels[fmt::format("k={} d={} {}", point.at("k").get<int>(), point.at("d").get<int>(),
                       point.at("counters").get<std::string>())]
        .push_back(one.at("level").is_null() ? "beyond" : one.at("level").get<std::string>());
  }
  using Levels = std::vector<std::string>;
  EXPECT_EQ(levels["k=2 d=192 alternate"], (Levels{"level 1", "level 2", "level 2", "beyond"}));
  EXPECT_EQ(levels["k=2 d=192 full"], (Levels{"level 1", "beyond", "beyond", "beyond"}));
  EXPECT_EQ(levels["k=2 d=64 alternate"], (Levels{"level 1", "beyond", "beyond", "beyond"}));
  EXPECT_EQ(levels["k=1 d=192 full"], (Levels{"level 1", "level 2", "level 2", "level 2"}));
}

TEST_F(TuneElsewhereTest, RequiresRunsForAMachineWithProbes) {
  TuneElsewhere probed = command("fm_index");
  probed.machine = source_dir() / "results" / "h200";
  expect_text(refusal(probed));
  probed.against = {probed.machine};
  expect_text(refusal(probed));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out"));
}

TEST_F(TuneElsewhereTest, RequiresSizesForLevels) {
  const auto config = folder_.write("sized.json", R"({
    "name": "sized",
    "families": {"pairwise_distance": {"problems": [{}], "variants": {"bytes": {}}}}})");
  expect_text(refusal(command("pairwise_distance"), choice(config)));
}

}  // namespace
}  // namespace gpuseq::bench
