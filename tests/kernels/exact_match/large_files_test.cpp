#include <gtest/gtest.h>

#include "kernels/exact_match/data/query_blocks.hpp"
#include "kernels/exact_match/data/sequences.hpp"
#include "tests/runtime/endless_input.hpp"

namespace gpuseq::exact_match {
namespace {

/// Time in the square of the records would be hours.
TEST(ExactMatchLargeFiles, OfManyRecordsAreRead) {
  constexpr u64 kRecords = 1'000'000;
  std::string text;
  for (u64 i = 0; i < kRecords; ++i) text += ">\nA\n";
  const TemporaryFolder folder;
  const auto path = folder.write("draft.fa", text);
  EXPECT_EQ(read_reference(path).count(), kRecords);
  EXPECT_EQ(read_queries(path, 0).count(), kRecords);
  u64 queries = 0;
  QueryBlocks blocks(path, {.threads = 2, .piece_bytes = 1000});
  for (Queries block = blocks.next(); block.count() > 0; block = blocks.next()) queries += block.count();
  EXPECT_EQ(queries, kRecords);
}

TEST(ExactMatchLargeFiles, WithoutAnEndAreRefused) {
  const TemporaryFolder folder;
  for (const char* unit : {"ACGTACGTACGTACGTACGTACGTACGTACGTACGTACGT\n", ">a\nACGTACGT\n", "A"}) {
    const auto path = endless_file(folder, ">start\nA\n", unit);
    expect_does_not_fit([&] { read_reference(path); });
    expect_does_not_fit([&] { read_queries(path, 0); });
  }
}

TEST(ExactMatchLargeFiles, OfARecordWithoutAnEndAreRefusedInBlocks) {
  const TemporaryFolder folder;
  const auto path = endless_file(folder, ">start\n", "ACGTACGTACGTACGTACGTACGTACGTACGTACGTACGT\n");
  expect_does_not_fit([&] { QueryBlocks(path, {.threads = 1}).next(); });
}

/// Blocks are not kept: the file is larger than the memory of the process.
TEST(ExactMatchLargeFiles, OfMoreThanTheMemoryAreReadInBlocks) {
  if (!kAddressSpaceCanBeLimited) GTEST_SKIP() << "the address space of a sanitizer cannot be limited";
  const TemporaryFolder folder;
  const auto path = endless_file(folder, ">start\n", std::string(10'000, 'A') + "\n>a\n");
  const auto child = [&] {
    const rlimit limit{status_bytes("VmSize").value_or(0) + (u64{512} << 20), RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit) != 0) std::exit(2);
    u64 letters = 0;
    QueryBlocks blocks(path, {.threads = 1, .piece_bytes = u64{1} << 20});
    while (letters < u64{576} << 20) letters += blocks.next().bases();
    std::exit(0);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0), "");
}

TEST(QueryBlocksThreads, ThatCannotStartAreAnErrorAndNoCrash) {
  if (!kAddressSpaceCanBeLimited) GTEST_SKIP() << "the address space of a sanitizer cannot be limited";
  const TemporaryFolder folder;
  const auto path = folder.write("q.fa", ">a\nACGT\n");
  const auto child = [&] {
    const rlimit limit{status_bytes("VmSize").value_or(0) + (u64{256} << 20), RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit) != 0) std::exit(2);
    try {
      const QueryBlocks blocks(path, {.threads = 1000});  // 8 GB of stacks
    } catch (const ResourceError& error) {
      std::exit(std::string_view(error.what()).find("cannot start 1000 threads") == 0 ? 0 : 3);
    }
    std::exit(1);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace gpuseq::exact_match
