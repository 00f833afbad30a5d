#include "kernels/fm_index/data/reference.hpp"

#include <gtest/gtest.h>

#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_index {
namespace {

using testing::codes;

TEST(Reference, JoinsWhatIsLeftWhenOtherLettersAndRecordEndsAreTakenOut) {
  const TemporaryFolder folder;
  const auto reference = read_reference(folder.write("r.fa", ">a x\nACNNgt\nryA\n>b\nTTT\n"), 0);
  EXPECT_EQ(reference.text, codes("ACGTATTT"));
  EXPECT_EQ(reference.records, 2u);
  EXPECT_EQ(reference.left_out, 4u);
}

TEST(Reference, KnowsOfWhichPiecesOfRecordsItIsMade) {
  const TemporaryFolder folder;
  const auto reference = read_reference(folder.write("r.fa", ">a x\nACNNgt\nryA\n>n\nNN\n>\nTTT\n"), 0);
  EXPECT_EQ(reference.names, (std::vector<std::string>{"a", "n", ""}));
  std::vector<std::array<u64, 3>> found;
  for (const Fragment& one : reference.fragments)
    found.push_back({one.text_begin, one.record, one.record_begin});
  EXPECT_EQ(found, (std::vector<std::array<u64, 3>>{{0, 0, 0}, {2, 0, 4}, {4, 0, 8}, {5, 2, 0}}));
}

TEST(Reference, KeepsAsManyBasesAsAskedFor) {
  const TemporaryFolder folder;
  const auto path = folder.write("r.fa", ">a\nACNGT\n>b\nTTT\n");
  EXPECT_EQ(read_reference(path, 3).text, codes("ACG"));
  EXPECT_EQ(read_reference(path, 5).text, codes("ACGTT"));
  EXPECT_EQ(read_reference(path, 7).text, codes("ACGTTTT"));
}

std::string message(const std::filesystem::path& path, u64 bases) {
  try {
    read_reference(path, bases);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Reference, SaysWhatIsWrongWithAFile) {
  const TemporaryFolder folder;
  expect_text(message(folder.write("n.fa", ">a\nNNN\n"), 0));
  expect_text(message(folder.write("s.fa", ">a\nACGT\n"), 5));
  expect_text(message(folder.write("x.fa", ">a\nAC!T\n"), 0));
  expect_text(message(folder.write("e.fa", ""), 0));
  expect_text(message(folder.path() / "none.fa", 0));
}

TEST(Reference, IsTheSameForASeedOnAnyNumberOfThreadsAndAnotherForAnotherSeed) {
  ThreadPool one(1), two(2);
  const u64 bases = (u64{1} << 20) + 77;
  const auto text = random_reference(bases, 5, one).text;
  EXPECT_EQ(text.size(), bases);
  EXPECT_EQ(text, random_reference(bases, 5, two).text);
  EXPECT_NE(text, random_reference(bases, 6, one).text);
  std::array<u64, 4> counts{};
  for (u8 base : text) ++counts.at(base);
  for (u64 count : counts) EXPECT_NEAR(static_cast<double>(count), bases / 4.0, 3000);
}

}  // namespace
}  // namespace gpuseq::fm_index
