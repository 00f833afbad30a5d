#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "kernels/pairwise_distance/oracle.hpp"
#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/system/child_process.hpp"
#include "tests/kernels/pairwise_distance/small_instances.hpp"
#include "tests/runtime/temporary_folder.hpp"
#include "tests/source_dir.hpp"

// The oracle, the readers and the writers agree with plink and with numpy.

namespace gpuseq::pairwise_distance {
namespace {

namespace fs = std::filesystem;
using testing::some_instances;

std::vector<std::vector<std::string>> table_of(const fs::path& path) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(read_file(path));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; fields >> field;) rows.back().push_back(field);
  }
  return rows;
}

class PlinkTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!find_program("plink1.9")) GTEST_SKIP() << "plink1.9 is not installed (package plink1.9)";
  }

  void plink(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "plink1.9");
    arguments.insert(arguments.end(), {"--allow-no-sex", "--threads", "1"});
    run_child({.arguments = arguments, .err = folder_.path() / "errors", .folder = folder_.path()});
  }
  /// plink's genotypes of random samples, as large as no multiple of anything.
  fs::path dummy(int samples, int snps, double missing) {
    plink({"--dummy", std::to_string(samples), std::to_string(snps), std::to_string(missing), "--seed", "7",
           "--make-bed", "--out", "x"});
    return folder_.path() / "x.bed";
  }

  /// Allele counts are scaled up to all SNPs by plink, from those that both samples have a genotype of (with
  /// flat-missing: in proportion). It writes 6 digits.
  void expect_distances(const Instances& instances, const char* name) {
    plink({"--bfile", name, "--distance", "square", "allele-ct", "flat-missing", "--out", "counts"});
    plink({"--bfile", name, "--distance", "square", "ibs", "flat-missing", "--out", "shares"});
    const auto counts = table_of(folder_.path() / "counts.dist"),
               shares = table_of(folder_.path() / "shares.mibs");
    ASSERT_EQ(counts.size(), instances.count);
    ASSERT_EQ(shares.size(), instances.count);
    for (u64 a = 0; a < instances.count; ++a)
      for (u64 b = 0; b < instances.count; ++b) {
        const PairDistance pair = oracle_pair(instances, Metric::ibs, a, b);
        if (a == b) continue;  // 0 and 1, whatever is missing
        if (pair.compared == 0) {
          EXPECT_TRUE(std::isnan(std::stod(counts[a][b]))) << counts[a][b];
          continue;
        }
        const double sum = pair.sum, compared = pair.compared,
                     attributes = static_cast<double>(instances.attributes);
        EXPECT_NEAR(std::stod(counts[a][b]), sum * attributes / compared,
                    1e-5 * sum * attributes / compared + 1e-9);
        EXPECT_NEAR(std::stod(shares[a][b]), 1 - sum / (2 * compared), 1e-5);
        if (pair.compared == instances.attributes) {
          EXPECT_EQ(std::stod(counts[a][b]), sum);
        }
      }
  }

  TemporaryFolder folder_;
};

TEST_F(PlinkTest, DistancesOfItsGenotypesAreOurs) {
  for (const double missing : {0.0, 0.05, 0.6})
    for (const auto& [samples, snps] : {std::pair{57, 131}, {5, 7}, {2, 1}, {64, 300}})
      expect_distances(read_instances(dummy(samples, snps, missing)).instances, "x");
}

TEST_F(PlinkTest, DistancesOfGenotypesThatWeWriteAreOurs) {
  for (const u32 missing : {0u, 100u}) {
    const Instances instances = some_instances(31, 130, 3, missing);
    write_plink(folder_.path() / "ours.bed", instances);
    expect_distances(instances, "ours");
  }
}

TEST_F(PlinkTest, ReadsTheSameCopiesOfTheFirstAlleleAsWeDo) {
  const Instances instances = read_instances(dummy(23, 41, 0.1)).instances;
  plink({"--bfile", "x", "--recode", "A", "--keep-allele-order", "--out", "raw"});
  const auto raw = table_of(folder_.path() / "raw.raw");
  ASSERT_EQ(raw.size(), instances.count + 1);
  for (u64 i = 0; i < instances.count; ++i) {
    EXPECT_EQ(raw[i + 1].at(1), instances.names[i]);
    for (u64 k = 0; k < instances.attributes; ++k)
      EXPECT_EQ(raw[i + 1].at(6 + k),
                instances.is_missing(i, k) ? "NA" : std::to_string(instances.row(i)[k]));
  }
}

TEST(NumpyTest, DistancesOfEveryMetricAreOurs) {
  const TemporaryFolder folder;
  const fs::path script = source_dir() / "tests/kernels/pairwise_distance/numpy_distances.py";
  const char* given = std::getenv("GPUSEQ_PYTHON");
  const std::string python = given != nullptr                 ? given
                             : fs::exists("/usr/bin/python3") ? "/usr/bin/python3"
                                                              : "python3";
  for (const u32 alphabet : {1u, 3u, 256u})
    for (const u32 missing : {0u, 300u})
      for (u32 metric = 0; metric < kMetricNames.size(); ++metric) {
        const bool real = is_real(static_cast<Metric>(metric));
        if ((static_cast<Metric>(metric) == Metric::ibs || real) && alphabet > 3) continue;
        const Instances instances =
            real ? testing::some_reals(17, 67, missing) : some_instances(17, 67, alphabet, missing);
        write_csv(folder.path() / "in.csv", instances);
        try {
          run_child({.arguments = {python, "-B", script, folder.path() / "in.csv",
                                   std::string(kMetricNames[metric]), folder.path() / "out"},
                     .err = folder.path() / "errors"});
        } catch (const ChildFailed& failure) {
          if (failure.exit_code == 77) GTEST_SKIP() << "numpy is not installed (package python3-numpy)";
          throw;
        } catch (const ResourceError& error) {
          GTEST_SKIP() << error.what();
        }
        const auto pairs = table_of(folder.path() / "out");
        ASSERT_EQ(pairs.size(), 17u * 17u);
        for (u64 i = 0; i < pairs.size(); ++i) {
          const PairDistance pair = oracle_pair(instances, static_cast<Metric>(metric), i / 17, i % 17);
          if (real)
            EXPECT_NEAR(std::stod(pairs[i][0]), pair.real, 1e-12 * pair.real);
          else
            EXPECT_EQ(pairs[i][0], std::to_string(pair.sum)) << kMetricNames[metric];
          EXPECT_EQ(pairs[i][1], std::to_string(pair.compared));
        }
      }
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
