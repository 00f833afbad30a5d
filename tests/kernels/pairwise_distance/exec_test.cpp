#include "kernels/pairwise_distance/exec/exec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/pairwise_distance/small_instances.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::pairwise_distance {
namespace {

using ::testing::HasSubstr;
using namespace std::string_literals;

/// Distances by the definition instead of a variant's.
class PairwiseDistanceExec : public ::testing::Test {
 protected:
  ExecRequest request(std::string_view csv, Point options = {}) {
    return {.variant = "",
            .point = {},
            .problem = {},
            .options = std::move(options),
            .data = {{"instances", folder_.write("in.csv", csv)}},
            .outputs = {{"out", folder_.path() / "d.tsv"}, {"compared", folder_.path() / "c.tsv"}},
            .cache_dir = {},
            .seed = 1};
  }
  std::string exec(const ExecRequest& request) {
    OutputFiles files("pairwise_distance", files_of(request), request.outputs);
    const auto problem = load_request(request);
    testing::GivenSession session(*problem, testing::brute_force(problem->instances(), problem->metric()),
                                  band_rows_);
    ExecReport report;
    summary_ = write_answers(*problem, session, exec_options().complete(request.options), files, report);
    return read_file(request.outputs.at("out"));
  }
  std::string error(const ExecRequest& request) {
    try {
      exec(request);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }
  std::string compared() { return read_file(folder_.path() / "c.tsv"); }

  TemporaryFolder folder_;
  std::string summary_;
  u64 band_rows_ = 0;  // 0: all
};

constexpr std::string_view kThree = "name,1,2,3,4\nana,0,1,2,0\nbo bo,2,1,2,1\na very long name,NA,0,?,1\n";

TEST_F(PairwiseDistanceExec, WritesNamesAndTheWholeMatrix) {
  EXPECT_EQ(exec(request(kThree)),
            "name\tana\tbo bo\ta very long name\n"
            "ana\t0\t2\t2\n"
            "bo bo\t2\t0\t1\n"
            "a very long name\t2\t1\t0\n");
  EXPECT_EQ(compared(),
            "name\tana\tbo bo\ta very long name\n"
            "ana\t4\t4\t2\n"
            "bo bo\t4\t4\t2\n"
            "a very long name\t2\t2\t2\n");
  EXPECT_EQ(summary_,
            "3 instances, 4 attributes of 3 symbols; 2 of 12 values missing (16.7 %); fewest attributes "
            "compared: 2, of ana and a very long name\n");
}

TEST_F(PairwiseDistanceExec, WritesPhylipsLowerTriangle) {
  EXPECT_EQ(exec(request(kThree, {{"format", "phylip"s}, {"metric", "squared_euclidean"s}})),
            "    3\n"
            "ana       \n"
            "bo_bo      5\n"
            "a_very_long_name 2 1\n");
}

TEST_F(PairwiseDistanceExec, GenotypesHaveTheShareOfTheirAllelesThatIsIdentical) {
  EXPECT_EQ(exec(request("a,0,1,2,0\nb,2,1,2,1\nc,1,0,?,1\n", {{"metric", "ibs"s}})),
            "name\ta\tb\tc\n"
            "a\t1\t0.625\t0.5\n"
            "b\t0.625\t1\t0.6666666666666666\n"
            "c\t0.5\t0.6666666666666666\t1\n");
  EXPECT_EQ(exec(request("a,0,1,2,0\nb,2,1,2,1\n", {{"metric", "ibs"s}, {"format", "phylip"s}})),
            "    2\na         \nb          0.375\n");
}

TEST_F(PairwiseDistanceExec, PairsWithNothingInCommonHaveNoDistance) {
  for (const char* metric : {"hamming", "ibs"}) {
    const std::string table = exec(request("a,0,?\nb,?,1\nc,?,?\n", {{"metric", std::string(metric)}}));
    const std::string self = metric == "ibs"s ? "1" : "0";
    EXPECT_EQ(table, "name\ta\tb\tc\na\t" + self + "\tNA\tNA\nb\tNA\t" + self + "\tNA\nc\tNA\tNA\tNA\n");
    expect_text(summary_);
  }
  EXPECT_EQ(compared(), "name\ta\tb\tc\na\t1\t0\t0\nb\t0\t1\t0\nc\t0\t0\t0\n");
}

TEST_F(PairwiseDistanceExec, WithoutMissingValuesEveryAttributeIsCompared) {
  exec(request("1,0\n1,1\n"));
  EXPECT_EQ(compared(), "name\t1\t2\n1\t2\t2\n2\t2\t2\n");
  EXPECT_EQ(summary_,
            "2 instances, 2 attributes of 2 symbols; 0 of 4 values missing (0 %); every pair compared by all "
            "attributes\n");
  EXPECT_EQ(exec(request("0\n")), "name\t1\n1\t0\n");
  EXPECT_EQ(exec(request("?\n")), "name\t1\n1\tNA\n");
}

TEST_F(PairwiseDistanceExec, ManyRowsAreWrittenInTheirOrder) {
  const Instances instances = testing::some_instances(700, 3);
  const auto path = folder_.path() / "many.csv";
  write_csv(path, instances);
  ExecRequest many = request("");
  many.data["instances"] = path;
  std::string expected = "name";
  for (const auto& name : instances.names) expected += '\t' + name;
  const Distances distances = testing::brute_force(instances, Metric::hamming);
  for (u64 i = 0; i < distances.sum.size(); ++i) {
    if (i % 700 == 0) expected += '\n' + instances.names[i / 700];
    expected += '\t' + std::to_string(distances.sum[i]);
  }
  EXPECT_EQ(exec(many), expected + '\n');
}

TEST_F(PairwiseDistanceExec, BandsOfRowsMakeTheSameFiles) {
  const auto path = folder_.path() / "some.csv";
  write_csv(path, testing::some_instances(41, 17, 3, 300));
  for (const char* format : {"tsv", "phylip"}) {
    ExecRequest some = request("", {{"format", std::string(format)}});
    some.data["instances"] = path;
    band_rows_ = 0;
    const std::string whole = exec(some), whole_compared = compared(), said = summary_;
    for (const u64 rows : {1, 7, 40}) {
      band_rows_ = rows;
      EXPECT_EQ(exec(some), whole) << rows;
      EXPECT_EQ(compared(), whole_compared) << rows;
      expect_text(summary_);
    }
  }
}

TEST_F(PairwiseDistanceExec, RealValuesThatAreNoneAreErrorsWithTheirLine) {
  const Point euclidean{{"metric", "euclidean"s}};
  for (const char* wrong : {"nan", "NaN", "inf", "-Infinity", "1e39", "x", "1,5e", "0x1"})
    EXPECT_THAT(
        error(request("name,1,2\na,0.5,-9\nb,"s + wrong + ",1\n", euclidean)),
        ::testing::AnyOf(HasSubstr("in.csv:3: field 2: found '"s + wrong + "', allowed: finite numbers"),
                         HasSubstr("in.csv:3: found 4 fields, allowed: 3")))
        << wrong;
  expect_text(error(request("name,1,2\na,0.5,-9\nb,1\n", euclidean)));
  expect_text(error(request("name,1,2\n", euclidean)));
  expect_text(error(request(">a\nACG\n", euclidean)));
  expect_text(error(request("a,0.5,1e19\n", euclidean)));
  expect_text(error(request("a,0.5,1\n")));
}

TEST_F(PairwiseDistanceExec, OptionsSayWhetherThereAreHeaderAndNames) {
  const char* table = "0,1\n0,1\n1,1\n";
  expect_text(error(request(table)));
  const Point header{{"header", "yes"s}, {"names", "no"s}}, both{{"header", "yes"s}, {"names", "yes"s}};
  EXPECT_EQ(exec(request(table, header)), "name\t1\t2\n1\t0\t1\n2\t1\t0\n");
  EXPECT_EQ(exec(request(table, both)), "name\t0\t1\n0\t0\t0\n1\t0\t0\n");
  EXPECT_EQ(exec(request(table, {{"header", "no"s}, {"names", "no"s}})),
            "name\t1\t2\t3\n1\t0\t0\t1\n2\t0\t0\t1\n3\t1\t1\t0\n");
  expect_text(error(request(">a\nAC\n", header)));
  expect_text(error(request(table, {{"header", "maybe"s}})));
}

TEST_F(PairwiseDistanceExec, RefusesWhatItDoesNotHonour) {
  ExecRequest other = request("0,1\n");
  other.problem = {{"alphabet", std::int64_t{3}}};
  expect_text(error(other));
  expect_text(error(request("0,1\n", {{"format", "nexus"s}})));
  ExecRequest nothing = request("0,1\n");
  nothing.data.clear();
  expect_text(error(nothing));
  nothing = request("0,1\n");
  nothing.outputs.erase("out");
  expect_text(error(nothing));
  expect_text(error(request("A,C\n", {{"metric", "ibs"s}})));
}

TEST_F(PairwiseDistanceExec, LeavesTheDataAlone) {
  write_plink(folder_.path() / "x.bed", testing::some_instances(3, 4));
  for (const char* name : {"x.bed", "x.bim", "x.fam"}) {
    ExecRequest over = request("");
    over.data["instances"] = folder_.path() / "x.bed";
    over.outputs["out"] = folder_.path() / "." / name;
    const std::string before = read_file(folder_.path() / name);
    expect_text(error(over));
    EXPECT_EQ(read_file(folder_.path() / name), before) << name;
  }
}

TEST_F(PairwiseDistanceExec, AFullDiskIsAnError) {
  ExecRequest full = request(kThree);
  full.outputs["out"] = "/dev/full";
  EXPECT_THROW(exec(full), ResourceError);
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
