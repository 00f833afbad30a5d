#include "kernels/papara/family.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "kernels/papara/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::papara {
namespace {

class PaparaFamilyTest : public ::testing::Test {
 protected:
  ExecRequest request(const std::string& variant) const {
    return {
        .variant = variant,
        .point = {},
        .data = {{"alignment", alignment_}, {"tree", tree_}, {"queries", queries_}},
        .outputs = {{"out", folder_.path() / "scores.tsv"}, {"all-scores", folder_.path() / "matrix.tsv"}},
        .cache_dir = folder_.path() / "cache",
        .seed = 1};
  }
  std::string written(const std::string& name) const { return read_file(folder_.path() / name); }

  TemporaryFolder folder_;
  std::filesystem::path alignment_ =
      folder_.write("a.phy", "4 11\na ACGTTTACGTC\nb ACGTTTACGTC\nc ACG---ACGTA\nd ACG---ACGTA\n");
  std::filesystem::path tree_ = folder_.write("t.nwk", "((a:0.1,b:0.2):0.05,c:0.3,d:0.1);");
  std::filesystem::path queries_ =
      folder_.write("q.fa", ">one\nGTTTAC\n>none\n--\n>two\ncgacgta\n>ins\nGTTTNACG\n");
  std::unique_ptr<Family> family_ = make_family();
  std::unique_ptr<Device> cpu_ = open_device("cpu");
};

TEST_F(PaparaFamilyTest, ExecWritesTheSameByEveryCpuVariant) {
  int variants = 0;
  for (const Variant& variant : family_->variants()) {
    if (variant.device != DeviceKind::cpu) continue;
    ++variants;
    family_->exec(request(variant.name), *cpu_);
    EXPECT_EQ(written("scores.tsv"),
              "query\tedge\tscore\tties\tfirst_site\tlast_site\tinserted\n"
              "one\t0\t0\t3\t3\t8\t0\n"
              "none\tNA\tNA\tNA\tNA\tNA\tNA\n"
              "two\t3\t0\t2\t2\t11\t0\n"
              "ins\t0\t3\t3\t3\t9\t1\n")
        << variant.name;
    EXPECT_TRUE(written("matrix.tsv").starts_with("query\t0\t1\t2\t3\t4\none\t0\t0\t0\t")) << variant.name;
  }
  EXPECT_GT(variants, 0);
}

TEST_F(PaparaFamilyTest, CpuEstimatesAreAtMostTwiceTheCounts) {
  for (const char* alphabet : {"dna", "protein"}) {
    const Point outlined = problem_space().complete({{"alphabet", std::string(alphabet)},
                                                     {"references", 150},
                                                     {"sites", 400},
                                                     {"query_count", 200},
                                                     {"shortest_query", 40},
                                                     {"longest_query", 60}});
    const auto problem =
        family_->load({.point = outlined, .files = {}, .seed = 5, .cache_dir = {}, .threads = 2});
    for (const Variant& variant : family_->variants()) {
      // The workspace of `hybrid` depends on which threads come first.
      if (variant.device != DeviceKind::cpu || variant.space.find("threads") == nullptr) continue;
      const Point point = variant.space.complete({{"threads", 1}});
      const auto session = prepare_as<ScoringSession>(*problem, variant, point, *cpu_);
      session->launch();
      const Cost counted = session->cost(), estimated = variant.cost({point, outlined, {}});
      const auto expect_near = [&](double count, double estimate, const std::string& what) {
        EXPECT_GE(estimate, count) << variant.name << ", " << what;
        EXPECT_LE(estimate, 2 * count) << variant.name << ", " << what;
      };
      expect_near(counted.work.amount, estimated.work.amount, "work");
      expect_near(static_cast<double>(counted.held.bytes()), static_cast<double>(estimated.held.bytes()),
                  "held");
      for (const auto& [part, bytes] : counted.held.parts)
        EXPECT_GE(estimated.held.parts.at(part), bytes) << variant.name << ", " << part;
      ASSERT_EQ(counted.instructions.has_value(), estimated.instructions.has_value());
      if (!counted.instructions) continue;
      for (const auto& [operation, count] : counted.instructions->operations)
        expect_near(count, estimated.instructions->operations.at(operation), operation);
    }
  }
}

TEST_F(PaparaFamilyTest, EstimatesForFilesHaveNoMemory) {
  const Point point{
      {"alignment", std::string("a")}, {"tree", std::string("t")}, {"queries", std::string("q")}};
  const StateOutline state{family_->variant("blocked").space.complete({}),
                           problem_space().complete(point),
                           {{"a", 1000}, {"q", 500}}};
  const Cost cost = family_->variant("blocked").cost(state);
  EXPECT_EQ(cost.work.amount, 2.0 * 1000 * 500);
  EXPECT_EQ(cost.held.bytes(), 0u);
  EXPECT_NE(cost.instructions.has_value(), !cost.why_no_bound.empty());
}

TEST_F(PaparaFamilyTest, EveryCpuVariantPassesOnEvolvedSequences) {
  for (const char* alphabet : {"dna", "protein"}) {
    const auto problem = family_->load({.point = {{"alphabet", std::string(alphabet)},
                                                  {"references", std::int64_t{70}},
                                                  {"sites", std::int64_t{400}},
                                                  {"query_count", std::int64_t{20}},
                                                  {"shortest_query", std::int64_t{1}},
                                                  {"longest_query", std::int64_t{400}}},
                                        .files = {},
                                        .seed = 3,
                                        .cache_dir = {},
                                        .threads = 2});
    for (const Variant& variant : family_->variants()) {
      if (variant.device != DeviceKind::cpu) continue;
      const auto session = variant.prepare(*problem, variant.space.complete({}), *cpu_);
      const Verification verification = session->verify();
      EXPECT_TRUE(verification.passed) << variant.name << ": " << verification.reason;
      EXPECT_EQ(verification.checked, 70u * 20) << variant.name;
    }
  }
}

}  // namespace
}  // namespace gpuseq::papara
