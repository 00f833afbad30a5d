#include "kernels/fm_mismatch/family.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/fm_mismatch/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_mismatch {
namespace {

class FmMismatchFamilyTest : public ::testing::Test {
 protected:
  /// @returns the exception, or nothing
  std::string exec(const std::string& variant, const std::string& reference, const std::string& queries,
                   const Point& problem = {}) {
    const ExecRequest request{
        .variant = variant,
        .point = {},
        .problem = problem,
        .data = {{"reference", folder_.write("ref.fa", reference)},
                 {"queries", folder_.write("q.fa", queries)}},
        .outputs = {{"out", folder_.path() / "out.tsv"}, {"counts", folder_.path() / "counts.tsv"}},
        .cache_dir = folder_.path() / "cache",
        .seed = 1};
    try {
      family_->exec(request, *cpu_);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }
  std::string written(const char* name) const {
    std::ifstream in(folder_.path() / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  TemporaryFolder folder_;
  std::unique_ptr<Family> family_ = make_family();
  std::unique_ptr<Device> cpu_ = open_device("cpu");
};

constexpr const char* kReference = ">a one\nACGTNNGATTACA\n>\nGATCACA\n";

TEST_F(FmMismatchFamilyTest, ExecWritesPlacesInRecordsWithTheirMismatchesByEveryCpuVariant) {
  constexpr const char* kQueries = ">q1\nGATTACA\n>\nGCTCACA\n>n\nGATNACA\n>joined\nTACAGA\n>empty\n\n";
  int variants = 0;
  for (const Variant& variant : family_->variants()) {
    if (variant.device != DeviceKind::cpu) continue;
    ++variants;
    ASSERT_EQ(exec(variant.name, kReference, kQueries), "") << variant.name;
    EXPECT_EQ(written("out.tsv"),
              "query\trecord\tposition\tstrand\tmismatches\n"
              "q1\ta\t7\t+\t0\nq1\t2\t1\t+\t1\n"
              "2\ta\t7\t+\t2\n2\t2\t1\t+\t1\n")
        << variant.name;
    // TACAGA goes over the end of a record; no other place of the text is as near.
    EXPECT_EQ(written("counts.tsv"),
              "name\texact\tone_mismatch\ttwo_mismatches\tacross_joins\n"
              "q1\t1\t1\t0\t0\n2\t0\t1\t1\t0\nn\t0\t0\t0\t0\njoined\t1\t0\t0\t1\nempty\t0\t0\t0\t0\n")
        << variant.name;
  }
  EXPECT_GT(variants, 0);
}

TEST_F(FmMismatchFamilyTest, ExecFindsNoMoreMismatchesThanAskedForAndBothStrands) {
  ASSERT_EQ(exec("interleaved", kReference, ">q\nTGTAATC\n", {{"mismatches", 1}, {"strands", "both"}}), "");
  EXPECT_EQ(written("out.tsv"),
            "query\trecord\tposition\tstrand\tmismatches\nq\ta\t7\t-\t0\nq\t2\t1\t-\t1\n");
  ASSERT_EQ(exec("interleaved", kReference, ">q\nTGTAATC\n", {{"mismatches", 0}, {"strands", "both"}}), "");
  EXPECT_EQ(written("out.tsv"), "query\trecord\tposition\tstrand\tmismatches\nq\ta\t7\t-\t0\n");
}

TEST_F(FmMismatchFamilyTest, ExecSaysWhatIsWrong) {
  expect_text(exec("scalar", ">a\nAC\nA!C\n", ">q\nA\n"));
  expect_text(exec("scalar", kReference, ">q\nAC\nA?\n"));
  expect_text(exec("scalar", kReference, ">q\nAC\n", {{"mismatches", 3}}));
  EXPECT_NE(exec("nothing", kReference, ">q\nAC\n").find("interleaved"), std::string::npos);
}

TEST_F(FmMismatchFamilyTest, TheReversedTextIsKeptSortedAndWhatIsDamagedIsMadeAnew) {
  const auto load = [&] {
    return std::make_unique<MismatchProblem>(
        ProblemSpec{.point = {{"reference", "r"}, {"query_bases", 3}, {"query_count", 5}},
                    .files = {{"r", folder_.write("r.fa", ">a\nACGTACGGA\n")}},
                    .seed = 1,
                    .cache_dir = folder_.path() / "cache",
                    .threads = 1});
  };
  const auto lines = [](const Index& index) {
    return std::string(reinterpret_cast<const char*>(index.reverse.data()), index.reverse.size());
  };
  const auto first = load();
  EXPECT_FALSE(first->index().from_cache);
  const auto again = load();
  EXPECT_TRUE(again->index().from_cache);
  EXPECT_EQ(lines(again->index()), lines(first->index()));
  EXPECT_THAT(again->notes(), ::testing::IsEmpty());
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / "cache"))
    files.push_back(entry.path());
  ASSERT_EQ(files.size(), 2u);  // of the text, and of its reverse
  for (const auto& file : files) std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  const auto damaged = load();
  EXPECT_FALSE(damaged->index().from_cache);
  EXPECT_EQ(lines(damaged->index()), lines(first->index()));
  expect_text(damaged->notes());
}

TEST_F(FmMismatchFamilyTest, AProblemIsAnotherWhereItsRecordsEndElsewhere) {
  const auto hash = [&](const char* reference) {
    const MismatchProblem problem({.point = {{"reference", "r"}, {"query_bases", 3}, {"query_count", 5}},
                                   .files = {{"r", folder_.write("r.fa", reference)}},
                                   .seed = 1,
                                   .cache_dir = {},
                                   .threads = 1});
    return problem.hash();
  };
  EXPECT_EQ(hash(">a\nACGTACGT\n"), hash(">a\nACGTA\nCGT\n"));
  EXPECT_NE(hash(">a\nACGTACGT\n"), hash(">a\nACGTA\n>b\nCGT\n"));
}

}  // namespace
}  // namespace gpuseq::fm_mismatch
