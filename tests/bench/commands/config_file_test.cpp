#include <filesystem>

#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// Options that take a config or another file of configs/, called from another folder.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kConfig =
    R"({"name": "c", "devices": "cpu", "families": {"toy": {"problems": [{}], "variants": {"steady": {}}}}})";

class ConfigFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(scratch_ / "checkout/configs/paper");
    std::filesystem::create_directories(scratch_ / "checkout/configs/published");
    std::filesystem::create_directories(scratch_ / "elsewhere");
    for (const char* name : {"titan", "titans", "quick"})
      scratch_.write(std::string("checkout/configs/") + name + ".json", kConfig);
    scratch_.write("checkout/configs/titan.schema.json", "{}");
    for (const char* name : {"paper/papara", "paper/fm-index", "published/fm-index"})
      scratch_.write(std::string("checkout/configs/") + name + ".json", kConfig);
  }
  /// @returns its output, on both streams
  std::string said(const std::vector<std::string>& arguments, int code) {
    Program program(scratch_, arguments, [this] {
      setenv("GPUSEQ_ROOT", (scratch_ / "checkout").c_str(), 1);
      std::filesystem::current_path(scratch_ / "elsewhere");
    });
    const int ended = program.wait();
    EXPECT_EQ(ended, code) << program.err();
    return program.out() + program.err();
  }
  Scratch scratch_;
};

TEST_F(ConfigFile, BareNamesAreFoundInConfigs) {
  said({"plan", "--config", "titan.json"}, 0);
  said({"validate", "--config", "titan.json"}, 0);
  said({"--config", "titan.json", "--no-report", "--output", "run"}, 0);
}

TEST_F(ConfigFile, ARecordNamesNoFolderOfItsMachine) {
  std::string config = kConfig;
  config.insert(1, R"("published": "published/fm-index.json", "tools": "tools/tools.json", )");
  scratch_.write("checkout/configs/own.json", config);
  std::filesystem::create_directories(scratch_ / "checkout/configs/tools");
  scratch_.write("checkout/configs/tools/tools.json", R"({"tools": {"ours": {"family": "toy", "summary": "s",
      "command": ["./ours.py"], "work": {"product": [1], "unit": "words"}}}})");
  said({"--config", "own.json", "--no-report", "--output", "run"}, 0);
  const std::string recorded = content(scratch_ / "elsewhere/run/run.json");
  EXPECT_THAT(recorded, Not(HasSubstr((scratch_ / "checkout").string())));
  for (const char* place : {"published/fm-index.json", "tools/ours.py"})
    EXPECT_THAT(recorded, HasSubstr(std::string("\"${GPUSEQ_ROOT}/configs/") + place));
  EXPECT_THAT(recorded, HasSubstr("\"config_source\": \"configs/own.json\""));
  said({"run", "--resume", "run", "--no-report"}, 0);
}

TEST_F(ConfigFile, NamesWithAFolderAreFoundInConfigs) {
  said({"plan", "--config", "paper/papara.json"}, 0);
  std::filesystem::create_directories(scratch_ / "elsewhere/paper");
  scratch_.write("elsewhere/paper/papara.json", "{");
  expect_text(said({"plan", "--config", "paper/papara.json"}, 2));
}

TEST_F(ConfigFile, MissingDataAreThoseInstalledWithTheProgram) {
  std::string config = kConfig;
  config.insert(1, R"("data": {"genome": {"path": "/nowhere/genome.fa"}}, )");
  scratch_.write("elsewhere/own.json", config);
  EXPECT_THAT(said({"validate", "--config", "./own.json"}, 2), HasSubstr("/nowhere/genome.fa is missing"));
  std::filesystem::create_directories(scratch_ / "checkout/data");
  scratch_.write("checkout/data/genome.fa", ">a\nACGT\n");
  said({"--config", "./own.json", "--no-report", "--output", "run"}, 0);
  EXPECT_EQ(run_json(scratch_ / "elsewhere/run")["config"]["data"]["genome"]["path"],
            "${GPUSEQ_ROOT}/data/genome.fa");
}

TEST_F(ConfigFile, UnknownNamesAreAnsweredByThoseOfAllFolders) {
  expect_text(said({"plan", "--config", "fm-index.json"}, 2));
  expect_text(said({"plan", "--config", "papra.json"}, 2));
  expect_text(said({"plan", "--config", "papr/fm-index.json"}, 2));
  expect_text(said({"plan", "--config", "configs/titan.json"}, 2));
}

TEST_F(ConfigFile, ARunJsonStandsForItsConfig) {
  said({"--config", "titan.json", "--no-report", "--output", "run"}, 0);
  EXPECT_THAT(said({"plan", "--config", "run/run.json", "--states"}, 0), HasSubstr("toy/steady"));
  nlohmann::json summary = read_json(scratch_ / "elsewhere/run/run.json");
  for (const char* recorded : {"configs/published-fm-index.json", "/gone/configs/published/fm-index.json"}) {
    summary["config"]["published"] = recorded;
    scratch_.write("elsewhere/run/run.json", summary.dump());
    EXPECT_THAT(said({"validate", "--config", "run/run.json"}, 0), Not(HasSubstr("missing"))) << recorded;
  }
}

TEST_F(ConfigFile, TheCurrentFolderGoesFirst) {
  scratch_.write("elsewhere/titan.json", "{");
  expect_text(said({"plan", "--config", "titan.json"}, 2));
}

TEST_F(ConfigFile, UnknownNamesAreAnsweredByTheNearest) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{"plan"},
                                                  {"run"},
                                                  {"probe"},
                                                  {"validate"},
                                                  {"compile"},
                                                  {"tune", "toy"},
                                                  {"gate", "--base-cmd", "true", "--new-cmd", "true"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--config", "tittan.json"});
    expect_text(said(arguments, 2));
  }
  expect_text(said({"list", "tools", "--tools", "titn.json"}, 2));
  expect_text(said({"plan", "--config", "titan"}, 2));
  expect_text(said({"plan", "--config", "zebra.json"}, 2));
}

TEST_F(ConfigFile, NamesWithAFolderAreTakenAsTheyAre) {
  expect_text(said({"plan", "--config", "./titan.json"}, 2));
}

}  // namespace
}  // namespace gpuseq::bench
