#include <fstream>

#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// `plan --machine`: the devices are those of a run, of this machine or another.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
namespace fs = std::filesystem;

class PlanElsewhere : public ::testing::Test {
 protected:
  PlanElsewhere() {
    EXPECT_EQ(run(scratch_,
                  {"--config", write("cpu", R"({"steady": {"speed": 1}})"), "--output", dir_, "--no-report"}),
              0);
    nlohmann::json summary = run_json(dir_);
    summary["invocation"]["devices"].push_back({{"id", "cuda:0"}, {"kind", "cuda"}, {"free_bytes", 1 << 30}});
    summary["devices"]["cuda:0"] = {{"name", "a GPU"}, {"l2_bytes", 1 << 20}};
    std::ofstream(dir_ / "run.json") << summary;
  }
  std::string write(const std::string& devices, const std::string& variants,
                    const std::string& more = "") const {
    return scratch_.write("toys.json", R"({"name": "toys", "devices": ")" + devices +
                                           R"(", "probe_budget_s": 0,
      "families": {"toy": {"problems": [{"size": [1, 2]}], "variants": )" +
                                           variants + "}}" + more + "}");
  }
  Result plan(const std::string& config, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--config", config, "--machine", dir_});
    return result_of(scratch_, "plan", more);
  }

  Scratch scratch_;
  const fs::path dir_ = scratch_ / "run";
};

TEST_F(PlanElsewhere, TakesTheDevicesOfTheRunThatTheConfigAsksFor) {
  const std::string variants = R"({"steady": {"speed": [1, 2]}, "on_gpu": {"speed": [1, 2, 4]}})";
  const auto states = [&](const std::string& devices) {
    return nlohmann::json::parse(plan(write(devices, variants), {"--json"}).out)["states"].get<double>();
  };
  EXPECT_EQ(states("auto"), 2 * (2 + 3));
  EXPECT_EQ(states("cpu"), 2 * 2);
  EXPECT_EQ(states("cuda:0"), 2 * 3);
}

TEST_F(PlanElsewhere, RefusesARunWithoutSuchADeviceAndAFolderWithoutARun) {
  const Result no_device = plan(write("cuda:1", R"({"on_gpu": {}})"));
  EXPECT_EQ(no_device.code, 2);
  expect_text(no_device.out + no_device.err);
  const Result no_run = result_of(
      scratch_, "plan", {"--config", write("cpu", R"({"steady": {}})"), "--machine", scratch_ / "none"});
  EXPECT_EQ(no_run.code, 2);
  expect_text(no_run.out + no_run.err);
}

TEST_F(PlanElsewhere, NamesTheControlsOfAShard) {
  const std::string config =
      write("cpu", R"({"steady": {"speed": [1, 2]}})", R"(, "controls": ["/size=1/speed=2,"])");
  expect_text(plan(config, {"--shard", "2/2", "--states"}).out);
}

}  // namespace
}  // namespace gpuseq::bench
