#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "tests/runtime/endless_input.hpp"

namespace gpuseq::pairwise_distance {
namespace {

/// Time in the square of the attributes would be hours. (Instances have distances in the square.)
TEST(PairwiseDistanceLargeFiles, OfManyAttributesAreRead) {
  constexpr u64 kMany = 500'000;
  std::string row = "a", bim;
  for (u64 i = 0; i < kMany; ++i) {
    row += ",1,NA";
    bim += "1 s 0 1 A C\n";
  }
  const TemporaryFolder folder;
  EXPECT_EQ(read_instances(folder.write("row.csv", row)).instances.attributes, 2 * kMany);
  folder.write("data.bim", bim);
  folder.write("data.fam", "f a 0 0 0 -9\n");
  const auto bed = folder.write("data.bed", "\x6c\x1b\x01" + std::string(kMany, '\0'));
  EXPECT_EQ(read_instances(bed).instances.attributes, kMany);
}

TEST(PairwiseDistanceLargeFiles, WithoutAnEndAreRefused) {
  const TemporaryFolder folder;
  for (const char* unit : {"a,1,0,1\n", "a,1,NA,1\n", "1,", ",", "x", ">a\nACGT\n"}) {
    const auto path = endless_file(folder, "", unit);
    expect_does_not_fit([&] { read_instances(path); });
  }
}

TEST(PairwiseDistanceInstances, WhoseDistancesDoNotFitAreRefusedWithTheFigures) {
  try {
    require_pairs_fit(u64{1} << 24, 16, true);
    ADD_FAILURE() << "a PB was found";
  } catch (const DoesNotFit& refusal) {
    for (const char* part : {"16777216 instances of 16 attributes", "distances: 2 x 1125899906842624 bytes",
                             "bytes are available"})
      EXPECT_NE(std::string(refusal.what()).find(part), std::string::npos) << refusal.what();
  }
  EXPECT_NO_THROW(require_pairs_fit(1000, 1000, false));
}

/// A second opening of a pipe would wait for another writer.
TEST(PairwiseDistanceLargeFiles, MayBePipesWhichAreReadOnce) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_TRUE(files_beside(path).empty());
  for (const char* text : {"a,1,0\nb,1,1\n", ">a\nAC\n>b\nAG\n"}) {
    std::thread writer([&] { std::ofstream(path) << text; });
    EXPECT_EQ(read_instances(path).instances.count, 2u);
    writer.join();
  }
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
