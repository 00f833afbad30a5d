#include "kernels/fm_locate/family.hpp"

#include <gtest/gtest.h>

#include "kernels/fm_locate/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_locate/small_texts.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_locate {
namespace {

class FmLocateFamilyTest : public ::testing::Test {
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

constexpr const char* kReference = ">a one\nACGTNNACGTAC\nGT\n>b\nGTacgtT\n>\nTTT\n";
constexpr const char* kQueries = ">q1\nACGT\n>joined\nCGTG\n>n\nANN\n>\n\n>gt\ngt\n>none\nCCCC\n>t\nTTT\n";

TEST_F(FmLocateFamilyTest, ExecWritesPlacesInRecordsByEveryCpuVariant) {
  int variants = 0;
  for (const Variant& variant : family_->variants()) {
    if (variant.device != DeviceKind::cpu) continue;
    ++variants;
    ASSERT_EQ(exec(variant.name, kReference, kQueries), "") << variant.name;
    EXPECT_EQ(written("out.tsv"),
              "query\trecord\tposition\tstrand\n"
              "q1\ta\t1\t+\nq1\ta\t7\t+\nq1\ta\t11\t+\nq1\tb\t3\t+\n"
              "gt\ta\t3\t+\ngt\ta\t9\t+\ngt\ta\t13\t+\ngt\tb\t1\t+\ngt\tb\t5\t+\n"
              "t\t3\t1\t+\n")
        << variant.name;
    // CGTG goes over the end of a record; so do two of the TTT, of the T at the end of b.
    EXPECT_EQ(
        written("counts.tsv"),
        "name\toccurrences\tlocated\tacross_joins\n"
        "q1\t4\t4\t0\njoined\t1\t1\t1\nn\t0\t0\t0\n4\t0\t0\t0\ngt\t5\t5\t0\nnone\t0\t0\t0\nt\t3\t3\t2\n")
        << variant.name;
  }
  EXPECT_GT(variants, 0);
}

TEST_F(FmLocateFamilyTest, ExecWritesNoMoreHitsOfAQueryThanAskedForAndHowManyThereAre) {
  ASSERT_EQ(exec("scalar", kReference, ">gt\nGT\n>t\nT\n", {{"max_hits", 3}}), "");
  const std::string hits = written("out.tsv");
  EXPECT_EQ(std::ranges::count(hits, '\n'), 1 + 2 * 3);
  EXPECT_EQ(written("counts.tsv"), "name\toccurrences\tlocated\tacross_joins\ngt\t5\t3\t0\nt\t9\t3\t0\n");
  ASSERT_EQ(exec("scalar", kReference, ">t\nT\n", {{"max_hits", 0}}), "");
  EXPECT_EQ(written("counts.tsv"), "name\toccurrences\tlocated\tacross_joins\nt\t9\t9\t0\n");
}

TEST_F(FmLocateFamilyTest, ExecWritesBothStrandsOfAQueryAndAPalindromeTwice) {
  // ACG is CGT on the other strand; of ACGT both are the same.
  for (const char* variant : {"scalar", "interleaved", "simd"}) {
    ASSERT_EQ(exec(variant, ">r\nNACGTTTCGT\n", ">acg\nACG\n>acgt\nACGT\n>aaac\nAAAC\n>aacg\nAACG\n",
                   {{"strands", "both"}}),
              "");
    EXPECT_EQ(written("out.tsv"),
              "query\trecord\tposition\tstrand\n"
              "acg\tr\t2\t+\nacg\tr\t3\t-\nacg\tr\t8\t-\n"
              "acgt\tr\t2\t+\nacgt\tr\t2\t-\n"
              "aaac\tr\t4\t-\naacg\tr\t3\t-\n");
    EXPECT_EQ(written("counts.tsv"),
              "name\toccurrences\tlocated\tacross_"
              "joins\nacg\t3\t3\t0\nacgt\t2\t2\t0\naaac\t1\t1\t0\naacg\t1\t1\t0\n");
  }
}

TEST_F(FmLocateFamilyTest, ExecFindsKmersByTheirReadAndPlace) {
  ASSERT_EQ(exec("interleaved", ">r\nGATTACA\n", ">q\nTTACA\n", {{"kmer_bases", 4}}), "");
  EXPECT_EQ(written("out.tsv"), "query\trecord\tposition\tstrand\nq:1\tr\t3\t+\nq:2\tr\t4\t+\n");
}

TEST_F(FmLocateFamilyTest, ExecSaysWhereAFileIsBroken) {
  expect_text(exec("scalar", ">a\nAC\nA!C\n", kQueries));
  expect_text(exec("scalar", kReference, ">q\nAC\nA?\n"));
  expect_text(exec("scalar", "", kQueries));
  expect_text(exec("scalar", ">a\nNNN\n", kQueries));
  EXPECT_NE(exec("nothing", kReference, kQueries).find("interleaved"), std::string::npos);
}

TEST_F(FmLocateFamilyTest, AProblemIsAnotherWhereItsRecordsEndElsewhere) {
  const auto hash = [&](const char* reference) {
    const LocateProblem problem({.point = {{"reference", "r"}, {"query_bases", 3}, {"query_count", 5}},
                                 .files = {{"r", folder_.write("r.fa", reference)}},
                                 .seed = 1,
                                 .cache_dir = {},
                                 .threads = 1});
    return problem.hash();
  };
  const std::string whole = hash(">a\nACGTACGT\n");
  EXPECT_EQ(whole, hash(">a\nACGTA\nCGT\n"));
  EXPECT_NE(whole, hash(">a\nACGTA\n>b\nCGT\n"));
  EXPECT_NE(whole, hash(">a\nACGTANCGT\n"));
  EXPECT_NE(whole, hash(">b\nACGTACGT\n"));
}

TEST_F(FmLocateFamilyTest, AProblemSaysWhatItHas) {
  const LocateProblem problem(
      {.point = {{"reference", "r"}, {"queries", "q"}, {"max_hits", 2}},
       .files = {{"r", folder_.write("r.fa", kReference)}, {"q", folder_.write("q.fa", kQueries)}},
       .seed = 1,
       .cache_dir = {},
       .threads = 1});
  const nlohmann::json facts = problem.describe();
  EXPECT_EQ(facts.at("strands_occurring"), 4);
  EXPECT_EQ(facts.at("occurrences"), 4 + 1 + 5 + 3);
  EXPECT_EQ(facts.at("positions"), 2 + 1 + 2 + 2);
  EXPECT_EQ(facts.at("fragments"), 4);
  expect_text(problem.label(problem_space().complete({{"reference", "r"}, {"queries", "q"}})));
}

}  // namespace
}  // namespace gpuseq::fm_locate
