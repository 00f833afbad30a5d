#include <set>

#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// Plugins in the whole program with its own families.

namespace gpuseq::bench::testing {
namespace {

using results::Record;
using results::Status;

constexpr const char* kDistances =
    R"("pairwise_distance": {"problems": [{"instance_count": 20, "attribute_count": 70}], "variants": {"bytes": {}}})";
constexpr const char* kScores =
    R"("profile_hmm": {"problems": [{"filter": "ssv", "model_length": 30, "sequence_count": 50}],
        "variants": {"striped": {}}})";

class Plugins : public ::testing::Test {
 protected:
  /// Runs a config of these families with libraries.
  int run_with(const std::string& families, std::vector<std::string> arguments) {
    const std::string config = scratch_.write(
        "config.json", R"({"name": "c", "devices": "cpu", "timeout_s": 15, "tune": {"remeasure": 0}, )" +
                           std::string(kSampling) + R"(, "families": {)" + families + "}}");
    arguments.insert(arguments.begin(),
                     {"run", "--config", config, "--no-report", "--output", scratch_ / "run"});
    return run(scratch_, std::move(arguments));
  }
  std::map<std::string, Record> kernels() const {
    std::map<std::string, Record> found;
    for (const Record& record : records(scratch_ / "run"))
      if (record.kind == "kernel") found[record.state.variant] = record;
    return found;
  }

  Scratch scratch_;
};

TEST_F(Plugins, EachFaultCostsOneFailedRecord) {
  setenv("GPUSEQ_TEST_FAULTS", "1", 1);
  const int code = run_with(std::string(kDistances) + ", " + kScores, {"--plugin", GPUSEQ_TEST_PLUGINS});
  unsetenv("GPUSEQ_TEST_FAULTS");
  EXPECT_EQ(code, 1);
  const auto found = kernels();
  EXPECT_EQ(found.size(), 10u);
  for (const auto& [name, kind] :
       {std::pair("wrong_answer", "wrong_result"), std::pair("crash", "crash"), std::pair("hang", "timeout"),
        std::pair("says_so", "error"), std::pair("wrong_abi", "error")}) {
    const Record& record = found.at(name);
    EXPECT_EQ(record.status, Status::failed) << name;
    EXPECT_EQ(record.failure->kind, kind) << name;
    EXPECT_EQ(record.facts.value("plugin", ""), "libgpuseq_test_plugins.so") << name;
    EXPECT_TRUE(record.samples_s.empty()) << name;
    expect_text(record.failure->reason);
  }
  EXPECT_EQ(found.at("unsupported").status, Status::skipped);
  expect_text(found.at("unsupported").failure->reason);
  for (const char* name : {"right", "bytes", "scores", "striped"})
    EXPECT_EQ(found.at(name).status, Status::ok) << name;
}

TEST_F(Plugins, WithoutCostHasNoBound) {
  ASSERT_EQ(run_with(kDistances, {"--plugin", GPUSEQ_TEST_PLUGINS}), 0);
  const Record right = kernels().at("right");
  EXPECT_EQ(right.verification->checked, 400u);
  EXPECT_EQ(right.work.amount, kernels().at("bytes").work.amount);
  EXPECT_GE(right.samples_s.size(), 6u);
  EXPECT_EQ(right.facts.value("plugin_abi", 0), 1);
  EXPECT_GT(right.facts.value("build_s", 0.0), 0) << "the time of prepare";
  EXPECT_FALSE(right.bound.value);
  expect_text(right.bound.reason);
}

TEST_F(Plugins, InstructionsOfItsCostBoundIt) {
  ASSERT_EQ(run_with(kScores, {"--plugin", GPUSEQ_TEST_PLUGINS}), 0);
  const Record scores = kernels().at("scores");
  EXPECT_EQ(scores.verification->checked, 50u);
  ASSERT_TRUE(scores.bound.value) << scores.bound.reason;
  EXPECT_EQ(scores.instructions->operations.at("add_u8"), scores.work.amount / 64);
}

TEST_F(Plugins, BlocksOfItsCostBoundIt) {
  const std::string families = R"("fm_index": {"problems": [{"reference": "random", "reference_bases": 500000,
      "query_count": 2000, "query_bases": 20}], "variants": {"suffix_array": {}}})";
  ASSERT_EQ(run_with(families, {"--plugin", GPUSEQ_EXAMPLE_PLUGIN}), 0);
  const Record found = kernels().at("suffix_array");
  EXPECT_EQ(found.verification->checked, 2000u);
  EXPECT_EQ(found.work.amount, 40'000);
  EXPECT_EQ(found.traffic->blocks, 4 * 2000 * 19);
  EXPECT_EQ(found.memory.value->bytes(), 5u * 500'000);
  ASSERT_TRUE(found.bound.value) << found.bound.reason;
}

TEST_F(Plugins, CountersOfTheCpuAreValuesOrAReason) {
  ASSERT_EQ(run_with(kDistances, {"--plugin", GPUSEQ_TEST_PLUGINS, "--set", "counters=true"}), 0);
  for (const auto& [name, record] : kernels()) {
    EXPECT_NE(record.counters.value.has_value(), !record.counters.reason.empty()) << name;
    EXPECT_NE(record.counters.reason, "not asked for") << name;
  }
}

TEST_F(Plugins, AreListedWithTheirParameters) {
  const Result listed = result_of(scratch_, "list", {"axes", "--plugin", GPUSEQ_TEST_PLUGINS});
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_THAT(listed.out,
              ::testing::HasSubstr("  right (cpu): all pairs\n    block = 16, 32 (default 16): "));
}

TEST_F(Plugins, ParametersAreTuned) {
  const std::string config =
      scratch_.write("config.json", R"({"name": "c", "devices": "cpu", )" + std::string(kSampling) +
                                        R"(, "families": {)" + kDistances + "}}");
  EXPECT_EQ(run(scratch_, {"tune", "pairwise_distance", "--variants", "right", "--plugin",
                           GPUSEQ_TEST_PLUGINS, "--config", config, "--set", "probe_budget_s=0",
                           "--no-report", "--output", scratch_ / "run"}),
            0);
  std::set<std::int64_t> blocks;
  for (const Record& record : records(scratch_ / "run"))
    if (record.kind == "kernel") blocks.insert(record.state.point.integer("block"));
  EXPECT_EQ(blocks, (std::set<std::int64_t>{16, 32}));
}

TEST_F(Plugins, RunJsonNamesOneLibraryForGood) {
  const std::string library = scratch_ / "libcopy.so";
  std::filesystem::copy_file(GPUSEQ_TEST_PLUGINS, library);
  ASSERT_EQ(run_with(kDistances, {"--plugin", library}), 0);
  EXPECT_EQ(run_json(scratch_ / "run")["config"]["plugins"][0]["library"], library);
  const auto again = [&](const char* to) {
    return run(scratch_, {"--config", scratch_ / "run/run.json", "--no-report", "--output", scratch_ / to});
  };
  EXPECT_EQ(again("second"), 0);
  std::ofstream(library, std::ios::app) << "changed";
  EXPECT_EQ(again("third"), 1);
  for (const Record& record : records(scratch_ / "third"))
    if (record.state.variant == "right") expect_text(record.failure->reason);
  EXPECT_EQ(run(scratch_, {"run", "--config", scratch_ / "run/run.json", "--plugin", library, "--no-report",
                           "--output", scratch_ / "fourth"}),
            0);
}

TEST_F(Plugins, HaveTheAxesOfTheConfig) {
  const std::string families = R"("pairwise_distance": {"problems": [{"instance_count": 20,
      "attribute_count": 70}], "variants": {"right": {"block": 32}}})";
  ASSERT_EQ(run_with(families, {"--plugin", GPUSEQ_TEST_PLUGINS}), 0);
  EXPECT_EQ(kernels().at("right").state.point.integer("block"), 32);
}

TEST_F(Plugins, WhatIsNoneIsRefusedBeforeTheRun) {
  const auto refused = [&](const std::string& library, const std::string& families = kDistances) {
    EXPECT_EQ(run_with(families, {"--plugin", library}), 2);
    expect_text(content(scratch_ / "err.txt"));
    EXPECT_FALSE(std::filesystem::exists(scratch_ / "run"));
  };
  refused(scratch_ / "absent.so");
  refused(scratch_.write("text.so", "no library"));
  refused(GPUSEQ_EXAMPLE_PLUGIN);
}

}  // namespace
}  // namespace gpuseq::bench::testing

int main(int argc, char** argv) {
  return gpuseq::bench::testing::toy_main(argc, argv, gpuseq::bench::make_registry());
}
