#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/papara/data/queries.hpp"
#include "kernels/papara/data/reference_alignment.hpp"
#include "kernels/papara/data/tree.hpp"
#include "tests/runtime/endless_input.hpp"

namespace gpuseq::papara {
namespace {

constexpr u64 kMany = 200'000;

/// Time in the square of the rows or tips would be hours.
TEST(PaparaLargeFiles, OfManyRowsAreRead) {
  std::string fasta, phylip = fmt::format("{} 4\n", kMany);
  for (u64 i = 0; i < kMany; ++i) {
    fasta += fmt::format(">t{}\nACGT\n", i);
    phylip += fmt::format("t{} ACGT\n", i);
  }
  const TemporaryFolder folder;
  const auto path = folder.write("rows.fa", fasta);
  EXPECT_EQ(read_alignment(path, Alphabet::dna).rows.size(), kMany);
  EXPECT_EQ(read_queries(path, Alphabet::dna, 4, 0).count(), kMany);
  EXPECT_EQ(read_alignment(folder.write("rows.phy", phylip), Alphabet::dna).rows.size(), kMany);
}

TEST(PaparaLargeFiles, OfWideAndOfDeepTreesAreRead) {
  std::string star = "(t0", deep(kMany - 1, '(');
  deep += "t0";
  for (u64 i = 1; i < kMany; ++i) {
    const std::string tip = fmt::format(",t{}", i);
    star += tip;
    deep += tip;
    deep += ')';
  }
  const TemporaryFolder folder;
  EXPECT_EQ(read_tree(folder.write("star.nwk", fmt::format("{});", star))).edges(), kMany);
  EXPECT_EQ(read_tree(folder.write("deep.nwk", fmt::format("{};", deep))).edges(), 2 * kMany - 3);
}

TEST(PaparaLargeFiles, WithoutAnEndAreRefused) {
  const TemporaryFolder folder;
  for (const char* unit : {"ACGTACGTACGTACGTACGTACGTACGTACGTACGTACGT\n", "A"}) {
    const auto path = endless_file(folder, ">start\nA\n", unit);
    expect_does_not_fit([&] { read_alignment(path, Alphabet::dna); });
    expect_does_not_fit([&] { read_queries(path, Alphabet::dna, 1000, 0); });
  }
  const auto many = endless_file(folder, "", ">a\nACGTACGT\n");
  expect_does_not_fit([&] { read_queries(many, Alphabet::dna, 1000, 0); });
  const auto phylip = endless_file(folder, "2 1000000000\n", "a ACGTACGT\n");
  expect_does_not_fit([&] { read_alignment(phylip, Alphabet::dna); });
  for (const char* unit : {"(", "a,", "\n", "a"}) {
    const auto path = endless_file(folder, "(", unit);
    expect_does_not_fit([&] { read_tree(path); });
  }
}

}  // namespace
}  // namespace gpuseq::papara
