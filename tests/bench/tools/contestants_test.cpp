#include <gmock/gmock.h>

#include <cstdlib>

#include "bench/commands/cli.hpp"
#include "bench/config/provenance.hpp"
#include "bench/config/registry.hpp"
#include "bench/tools/family.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/runtime/temporary_folder.hpp"

// Every tool of configs/tools/tools.json that is there answers a small problem, and its answers are those of
// our oracles. The tools that are this program's own exec run this test's program.

namespace gpuseq::bench {
namespace {

constexpr double kTimeoutS = 100;

const Tools& all_tools() {
  static const Tools tools =
      tools_from_json(resolve_tools("tools.json", source_root() / "configs/tools", "test"), "tools.json");
  return tools;
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const Tool& tool : all_tools().tools) names.push_back(tool.name);
  return names;
}

/// Problems that have texts of several sizes, of which some queries occur and some do not.
std::vector<Point> problems_of(const std::string& family, const std::string& tool) {
  if (family == "fm_index")
    return {
        {{"reference_bases", 50'000}, {"query_count", 500}, {"query_bases", 30}, {"occurring_percent", 60}}};
  if (family == "fm_mismatch") {
    std::vector<Point> all;
    for (const std::int64_t mismatches : {0, 1, 2})
      all.push_back({{"reference_bases", 20'000},
                     {"query_count", 300},
                     {"query_bases", 12},
                     {"occurring_percent", 60},
                     {"mismatches", mismatches},
                     {"strands", "both"}});
    return all;
  }
  if (family == "exact_match") {
    Point point{
        {"reference_bases", 50'000}, {"query_count", 500}, {"repeat_percent", 20}, {"min_length", 15}};
    if (tool.ends_with("_both_strands")) point.set("both_strands", "yes");
    return {point};
  }
  if (family == "profile_hmm") return {{{"model_length", 60}, {"sequence_count", 400}, {"homologs", 100}}};
  const char* metric = tool == "hammingdist" || tool == "snp_dists" ? "hamming" : "ibs";
  return {{{"metric", metric}, {"instance_count", 70}, {"attribute_count", 333}}};
}

class Contestant : public ::testing::TestWithParam<std::string> {};

TEST_P(Contestant, AnswersAsTheOracle) {
  const auto& tools = all_tools().tools;
  const auto tool = std::ranges::find_if(tools, [](const Tool& one) { return one.name == GetParam(); });
  const Registry registry = with_tools(make_registry(), all_tools(), kTimeoutS);
  const Family& family = registry.family(tool->family);
  const Variant& variant = family.variant(tool->name);
  if (!variant.missing.empty()) GTEST_SKIP() << variant.missing;
  std::unique_ptr<Device> device;
  try {
    device = open_device(variant.device == DeviceKind::cpu ? "cpu" : "cuda:0");
  } catch (const UsageError& none) {
    GTEST_SKIP() << none.what();
  }
  if (!tool->answers) GTEST_SKIP() << "it prints no answers";
  const TemporaryFolder folder;
  for (const Point& given : problems_of(tool->family, tool->name)) {
    const auto problem = family.load({.point = family.problem_space().complete(given),
                                      .files = {},
                                      .seed = 3,
                                      .cache_dir = folder.path(),
                                      .threads = 1});
    for (const Point& point : variant.space.all_points()) {
      if (point.has("k") && point.has("variant") && point.word("variant").starts_with("psi")) continue;
      const auto session = variant.prepare(*problem, point, *device);
      const Verification verification = session->verify();
      EXPECT_TRUE(verification.passed) << point.to_string() << ": " << verification.reason;
      if (!tool->may_differ)
        EXPECT_GT(verification.checked, 0u) << point.to_string();
      else
        EXPECT_GT(session->facts()["answers_equal"], 0) << point.to_string() << ": " << verification.reason;
      EXPECT_EQ(session->facts()["program_version"] == "unknown", tool->version.empty());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tools, Contestant, ::testing::ValuesIn(names()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '.', '_');
  return name;
});

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  if (std::getenv("GPUSEQ_TEST_PROGRAM") != nullptr)
    return gpuseq::bench::run_program(argc, argv, gpuseq::bench::make_registry());
  ::testing::InitGoogleMock(&argc, argv);
  setenv("GPUSEQ_TEST_PROGRAM", "1", 1);
  return RUN_ALL_TESTS();
}
