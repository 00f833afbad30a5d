#include "kernels/profile_hmm/family.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/profile_hmm/data/generator.hpp"
#include "kernels/profile_hmm/exec/score_table.hpp"
#include "kernels/profile_hmm/oracle.hpp"
#include "kernels/profile_hmm/problem.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/kernels/profile_hmm/small_profiles.hpp"
#include "tests/kernels/profile_hmm/unusual_models.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::profile_hmm {
namespace {

class ProfileHmmFamilyTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  std::unique_ptr<Family> family_ = make_family();
  std::unique_ptr<Device> cpu_ = open_device("cpu");
};

TEST_F(ProfileHmmFamilyTest, CpuEstimatesAreAtMostTwiceTheCounts) {
  for (const char* filter : {"ssv", "msv", "viterbi"}) {
    const Point outlined = problem_space().complete(
        {{"filter", std::string(filter)}, {"model_length", 100}, {"sequence_count", 1000}});
    const auto problem =
        family_->load({.point = outlined, .files = {}, .seed = 5, .cache_dir = {}, .threads = 2});
    for (const Variant& variant : family_->variants()) {
      if (variant.device != DeviceKind::cpu || !variant.cost) continue;
      const Point point = variant.space.complete({});
      const Cost counted = prepare_as<FilterSession>(*problem, variant, point, *cpu_)->cost(),
                 estimated = variant.cost({point, outlined, {}});
      const auto expect_near = [&](double count, double estimate, const std::string& what) {
        EXPECT_GE(estimate, count) << variant.name << ", " << what;
        EXPECT_LE(estimate, 2 * count) << variant.name << ", " << what;
      };
      expect_near(counted.work.amount, estimated.work.amount, "work");
      for (const auto& [part, bytes] : counted.held.parts)
        EXPECT_GE(estimated.held.parts.at(part), bytes) << variant.name << ", " << part;
      expect_near(static_cast<double>(counted.held.bytes()), static_cast<double>(estimated.held.bytes()),
                  "held");
      ASSERT_EQ(counted.instructions.has_value(), estimated.instructions.has_value());
      if (!counted.instructions) continue;
      for (const auto& [operation, count] : counted.instructions->operations)
        expect_near(count, estimated.instructions->operations.at(operation), operation);
    }
  }
}

TEST_F(ProfileHmmFamilyTest, ExecWritesTheSameByEveryCpuVariant) {
  std::ofstream models(folder_.path() / "models.hmm");
  const Model model = random_model(70, 1);
  for (const u32 length : {1u, 33u}) write_model(models, random_model(length, length));
  write_model(models, model);
  models.close();
  Sequences sequences = random_sequences(model, {.count = 300, .homologs = 0.1, .longest = 1500}, 2);
  sequences.append("none", {});
  std::ofstream fasta(folder_.path() / "sequences.fasta");
  write_fasta(fasta, sequences);
  fasta.close();
  std::string first;
  for (const Variant& variant : family_->variants()) {
    if (variant.device != DeviceKind::cpu || !variant.missing.empty()) continue;
    family_->exec({.variant = variant.name,
                   .point = {},
                   .problem = {},
                   .data = {{"models", folder_.path() / "models.hmm"},
                            {"sequences", folder_.path() / "sequences.fasta"}},
                   .outputs = {{"out", folder_.path() / "scores.tsv"}},
                   .cache_dir = {},
                   .seed = 1},
                  *cpu_);
    const std::string table = read_file(folder_.path() / "scores.tsv");
    EXPECT_EQ(std::ranges::count(table, '\n'), 1 + 3 * 301);
    if (first.empty()) first = table;
    EXPECT_EQ(table, first) << variant.name;
  }
  EXPECT_FALSE(first.empty());
}

TEST_F(ProfileHmmFamilyTest, EveryCpuVariantPassesEveryFilterOnRandomSequences) {
  for (const std::string_view filter : kFilterNames.words) {
    const auto problem = family_->load({.point = {{"filter", std::string(filter)},
                                                  {"model_length", std::int64_t{130}},
                                                  {"sequence_count", std::int64_t{200}},
                                                  {"homologs", std::int64_t{100}}},
                                        .files = {},
                                        .seed = 3,
                                        .cache_dir = {},
                                        .threads = 2});
    for (const Variant& variant : family_->variants()) {
      if (variant.device != DeviceKind::cpu || !variant.missing.empty()) continue;
      const auto session = variant.prepare(*problem, variant.space.complete({}), *cpu_);
      const Verification verification = session->verify();
      EXPECT_TRUE(verification.passed) << variant.name << ": " << verification.reason;
      EXPECT_EQ(verification.checked, 200u) << variant.name;
    }
  }
}

TEST_F(ProfileHmmFamilyTest, EveryCpuVariantPassesOnModelsThatHmmbuildWouldNotMake) {
  Random random(4);
  auto sequences = std::make_shared<Sequences>();
  for (u32 i = 0; i < 40; ++i)
    sequences->append(fmt::format("s{}", i), testing::random_codes(random.below(120), random));
  int problems = 0;
  for (u64 seed = 1; seed <= 60; ++seed) {
    const Model model = testing::spoilt_model(seed);
    for (const Filter filter : {Filter::ssv, Filter::msv, Filter::viterbi}) {
      if (filter == Filter::viterbi && delete_bound_is_low(make_profile(model))) continue;
      const auto problem = make_problem(model, sequences, filter);
      for (const Variant& variant : family_->variants()) {
        if (variant.device != DeviceKind::cpu || !variant.missing.empty()) continue;
        const auto session =
            variant.prepare(*problem, variant.space.complete({{"threads", std::int64_t{1}}}), *cpu_);
        const Verification verification = session->verify();
        EXPECT_TRUE(verification.passed) << variant.name << ": " << verification.reason;
      }
      ++problems;
    }
  }
  EXPECT_GT(problems, 150);
}

}  // namespace
}  // namespace gpuseq::profile_hmm
