#include "kernels/pairwise_distance/family.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "kernels/pairwise_distance/exec/exec.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/kernels/pairwise_distance/small_instances.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::pairwise_distance {
namespace {

class PairwiseDistanceFamilyTest : public ::testing::Test {
 protected:
  std::string exec(const std::string& variant, const std::filesystem::path& data, Point options) {
    family_->exec({.variant = variant,
                   .point = {},
                   .problem = {},
                   .options = std::move(options),
                   .data = {{"instances", data}},
                   .outputs = {{"out", folder_.path() / "d.tsv"}},
                   .cache_dir = {},
                   .seed = 1},
                  *cpu_);
    return read_file(folder_.path() / "d.tsv");
  }
  std::vector<Variant> cpu_variants_here() const {
    std::vector<Variant> here;
    for (const Variant& variant : family_->variants())
      if (variant.device == DeviceKind::cpu && variant.missing.empty()) here.push_back(variant);
    return here;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Family> family_ = make_family();
  std::unique_ptr<Device> cpu_ = open_device("cpu");
};

TEST_F(PairwiseDistanceFamilyTest, EveryCpuVariantPassesEveryMetricOnRandomInstances) {
  int passed = 0;
  for (const std::string_view metric : kMetricNames)
    for (const std::int64_t missing : {0, 200})
      for (const auto& [instances, attributes] : {std::pair{1, 1}, {1, 300}, {5, 1}, {37, 131}, {112, 512}}) {
        const auto problem = family_->load({.point = {{"metric", std::string(metric)},
                                                      {"instance_count", std::int64_t{instances}},
                                                      {"attribute_count", std::int64_t{attributes}},
                                                      {"missing", missing}},
                                            .files = {},
                                            .seed = 3,
                                            .cache_dir = {},
                                            .threads = 2});
        for (const Variant& variant : cpu_variants_here()) {
          const auto session = variant.prepare(*problem, variant.space.complete({}), *cpu_);
          const Verification verification = session->verify();
          EXPECT_TRUE(verification.passed) << variant.name << ": " << verification.reason;
          EXPECT_EQ(verification.checked, static_cast<u64>(instances) * static_cast<u64>(instances));
          EXPECT_EQ(session->work().unit, "comparisons");
          EXPECT_EQ(session->facts().at("metric"), metric);
          ++passed;
        }
      }
  EXPECT_GE(passed, 80);
}

TEST_F(PairwiseDistanceFamilyTest, ExecWritesTheSameByEveryCpuVariant) {
  const auto data = folder_.path() / "in.csv";
  write_csv(data, testing::some_instances(67, 200, 3, 50));
  for (const std::string_view metric : kMetricNames) {
    std::string first;
    for (const Variant& variant : cpu_variants_here()) {
      const std::string table = exec(variant.name, data, {{"metric", std::string(metric)}});
      if (first.empty()) first = table;
      EXPECT_EQ(table, first) << variant.name << " " << metric;
    }
    EXPECT_EQ(std::ranges::count(first, '\n'), 68);
  }
}

TEST_F(PairwiseDistanceFamilyTest, TheVariantOfExecDoesEveryInput) {
  const std::string usual(family_->exec_variant());
  for (const u32 alphabet : {1u, 2u, 3u, 5u, 256u}) {
    const Instances instances = testing::some_instances(9, 40, alphabet, 100);
    const auto data = folder_.path() / "in.csv";
    write_csv(data, instances);
    for (u32 metric = 0; metric < kMetricNames.size(); ++metric) {
      if (static_cast<Metric>(metric) == Metric::ibs) continue;
      const Distances expected = testing::brute_force(instances, static_cast<Metric>(metric));
      const std::string table = exec(usual, data, {{"metric", std::string(kMetricNames[metric])}});
      EXPECT_THAT(table, ::testing::HasSubstr("\ni1\t0\t" + std::to_string(expected.at(0, 1)) + '\t'));
    }
  }
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
