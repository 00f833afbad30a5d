#include <gtest/gtest.h>

#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/kernels/pairwise_distance/small_instances.hpp"
#include "tests/runtime/mutate.hpp"
#include "tests/runtime/temporary_folder.hpp"

// Whatever a file holds, it is read or refused with its name; a file that is read is a problem.

namespace gpuseq::pairwise_distance {
namespace {

using testing::some_instances;

struct Outcome {
  int read = 0, refused = 0;
};

class PairwiseDistanceFuzz : public ::testing::Test {
 protected:
  /// Reads a file with places of `mutated` changed, many times.
  Outcome read_mutated(const std::filesystem::path& mutated, const std::filesystem::path& read,
                       std::string_view telling, u64 times, Metric metric = Metric::hamming) {
    const std::string original = read_file(mutated);
    Random random(5);
    Outcome outcome;
    for (u64 i = 0; i < times; ++i) {
      std::string text = original;
      gpuseq::testing::mutate(random, telling, text);
      std::ofstream(mutated, std::ios::binary) << text;
      try {
        make_problem(read_instances(read, {.real = is_real(metric)}).instances, metric);
        ++outcome.read;
      } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find(folder_.path().string()), std::string::npos) << error.what();
        ++outcome.refused;
      }
    }
    std::ofstream(mutated, std::ios::binary) << original;
    return outcome;
  }
  void expect_both(const Outcome& outcome) {
    EXPECT_GT(outcome.read, 20);
    EXPECT_GT(outcome.refused, 20);
  }

  TemporaryFolder folder_;
};

TEST_F(PairwiseDistanceFuzz, CsvFiles) {
  write_csv(folder_.path() / "a.csv", some_instances(7, 12, 20, 100));
  expect_both(read_mutated(folder_.path() / "a.csv", folder_.path() / "a.csv", ",\t\"\nNA?-9.x0125\r", 600));
  folder_.write("b.tsv", "id\trs1\trs2\tx\na\tA\t0\t?\n\"b\"\tC\t1\t.\nc\tx\t\t2\n");
  expect_both(read_mutated(folder_.path() / "b.tsv", folder_.path() / "b.tsv", ",\t\"\nNA?-9.x0125\r", 600));
}

TEST_F(PairwiseDistanceFuzz, CsvFilesOfRealValues) {
  const auto file = folder_.path() / "a.csv";
  write_csv(file, testing::some_reals(7, 5, 100));
  expect_both(read_mutated(file, file, ",\t\"\nNA?-+.e0125inf\r", 600, Metric::euclidean));
}

TEST_F(PairwiseDistanceFuzz, FastaFiles) {
  const auto file = folder_.write("a.fa", ">one first\nACGTN\nAC\n>two\nAC-TNAC\n>three\nacgt?XX\n");
  expect_both(read_mutated(file, file, ">\n-NXE?.1 @\x80", 600));
}

TEST_F(PairwiseDistanceFuzz, PlinkFiles) {
  const auto bed = folder_.path() / "a.bed";
  write_plink(bed, some_instances(9, 70, 3, 100));
  Outcome all;
  for (const char* mutated : {"a.bed", "a.bim", "a.fam"}) {
    const Outcome outcome =
        read_mutated(folder_.path() / mutated, bed, std::string_view("\n \x6c\x1b\x01\xff\0A0", 9), 300);
    all.read += outcome.read;
    all.refused += outcome.refused;
    EXPECT_GT(outcome.refused, 20) << mutated;
  }
  EXPECT_GT(all.read, 20);
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
