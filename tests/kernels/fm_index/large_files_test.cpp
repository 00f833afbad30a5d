#include <gtest/gtest.h>

#include "kernels/fm_index/data/queries.hpp"
#include "kernels/fm_index/data/reference.hpp"
#include "tests/runtime/endless_input.hpp"

namespace gpuseq::fm_index {
namespace {

/// Time in the square of the records would be hours.
TEST(FmIndexLargeFiles, OfManyRecordsAreRead) {
  constexpr u64 kRecords = 1'000'000;
  std::string text;
  for (u64 i = 0; i < kRecords; ++i) text += ">\nACGTACGTAC\n";
  const TemporaryFolder folder;
  const auto path = folder.write("draft.fa", text);
  const Reference reference = read_reference(path, 0);
  EXPECT_EQ(reference.records, kRecords);
  EXPECT_EQ(reference.text.size(), 10 * kRecords);
  EXPECT_EQ(read_queries(path, 0).total, kRecords);
}

TEST(FmIndexLargeFiles, WithoutAnEndAreRefused) {
  const TemporaryFolder folder;
  for (const char* unit : {"ACGTACGTACGTACGTACGTACGTACGTACGTACGTACGT\n", ">a\nACGTACGT\n", "A"}) {
    const auto path = endless_file(folder, ">start\nA\n", unit);
    expect_does_not_fit([&] { read_reference(path, 0); });
    expect_does_not_fit([&] { read_queries(path, 0); });
  }
}

}  // namespace
}  // namespace gpuseq::fm_index
