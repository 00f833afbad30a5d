#include "kernels/pairwise_distance/family.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "kernels/pairwise_distance/exec/exec.hpp"
#include "kernels/pairwise_distance/oracle.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/kernels/pairwise_distance/small_instances.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::pairwise_distance {
namespace {

constexpr std::array kCodeMetrics{Metric::hamming, Metric::manhattan, Metric::squared_euclidean, Metric::ibs};

std::string_view name_of(Metric metric) {
  return kMetricNames[static_cast<u32>(metric)];
}

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
          std::unique_ptr<Session> session;
          try {
            session = variant.prepare(*problem, variant.space.complete({}), *cpu_);
          } catch (const ResourceError& error) {
            EXPECT_TRUE(metric == "euclidean" && variant.name != "floats") << variant.name << error.what();
            continue;
          }
          const Verification verification = session->verify();
          EXPECT_TRUE(verification.passed) << variant.name << ": " << verification.reason;
          EXPECT_EQ(verification.checked, static_cast<u64>(instances) * static_cast<u64>(instances));
          EXPECT_EQ(session->cost().work.unit, "comparisons");
          EXPECT_EQ(session->facts().at("metric"), metric);
          ++passed;
        }
      }
  EXPECT_GE(passed, 80);
}

TEST_F(PairwiseDistanceFamilyTest, ExecWritesTheSameByEveryCpuVariant) {
  const auto data = folder_.path() / "in.csv";
  write_csv(data, testing::some_instances(67, 200, 3, 50));
  for (const Metric metric : kCodeMetrics) {
    std::string first;
    for (const Variant& variant : cpu_variants_here()) {
      const std::string table = exec(variant.name, data, {{"metric", std::string(name_of(metric))}});
      if (first.empty()) first = table;
      EXPECT_EQ(table, first) << variant.name << " " << name_of(metric);
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
    for (const Metric metric : kCodeMetrics) {
      if (metric == Metric::ibs) continue;
      const Distances expected = testing::brute_force(instances, metric);
      const std::string table = exec(usual, data, {{"metric", std::string(name_of(metric))}});
      EXPECT_THAT(table, ::testing::HasSubstr("\ni1\t0\t" + std::to_string(expected.at(0, 1)) + '\t'));
    }
  }
}

/// The output of exec() reads as the very numbers, and is within the bound of the right ones.
TEST_F(PairwiseDistanceFamilyTest, TheVariantOfExecDoesRealValues) {
  for (const u32 missing : {0u, 100u}) {
    const Instances instances = testing::some_reals(23, 71, missing);
    const auto data = folder_.path() / "in.csv";
    write_csv(data, instances);
    std::istringstream table(
        exec(std::string(family_->exec_variant()), data, {{"metric", std::string("euclidean")}}));
    const auto expected = testing::euclidean_distances(instances);
    std::string line, field;
    std::getline(table, line);
    for (u64 a = 0; a < 23; ++a) {
      table >> field;
      EXPECT_EQ(field, instances.names[a]);
      for (u64 b = 0; b < 23; ++b) {
        table >> field;
        const auto distance = static_cast<double>(expected[a * 23 + b]);
        EXPECT_NEAR(std::stod(field), distance, euclidean_error(71, distance));
      }
    }
  }
}

/// A file that is written in parts is the same, whatever the metric.
TEST_F(PairwiseDistanceFamilyTest, ExecInLittleMemoryWritesTheSame) {
  const auto data = folder_.path() / "in.csv";
  for (const Metric metric : {Metric::hamming, Metric::squared_euclidean, Metric::euclidean}) {
    write_csv(data, is_real(metric) ? testing::some_reals(700, 9) : testing::some_instances(700, 9, 5, 100));
    const std::string name(name_of(metric));
    const std::string whole = exec("bit_planes", data, {{"metric", name}});
    EXPECT_EQ(exec("bit_planes", data, {{"metric", name}, {"memory", 1}}), whole) << name;
  }
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
