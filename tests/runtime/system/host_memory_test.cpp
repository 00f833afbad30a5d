#include "runtime/system/host_memory.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "tests/runtime/endless_input.hpp"

namespace gpuseq {
namespace {

TEST(GrowingMemory, MakesRoomForOneValueAfterAnotherInStepsThatDouble) {
  const GrowingMemory memory("test");
  std::vector<u32> values;
  std::string text;
  int moves = 0;
  for (u32 i = 0; i < 1'000'000; ++i) {
    const auto before = std::pair(values.capacity(), text.capacity());
    memory.make_room(values, 1);
    memory.make_room(text, 1);
    values.push_back(i);
    text.push_back('a');
    if (before != std::pair(values.capacity(), text.capacity())) ++moves;
  }
  EXPECT_LE(moves, 42);
}

TEST(GrowingMemory, AppendsBehindWhatIsThere) {
  const GrowingMemory memory("test");
  std::string text = "ab";
  memory.append(text, std::string_view("cd"));
  memory.append(text, std::string_view());
  EXPECT_EQ(text, "abcd");
}

TEST(GrowingMemory, RefusesToGrowBeyondTheMemoryThatIsLeft) {
  expect_does_not_fit([] {
    const GrowingMemory memory("test");
    std::vector<u64> values;
    while (true) {
      memory.make_room(values, 1);
      values.push_back(0);
    }
  });
}

TEST(GrowingMemory, RefusesManySmallPiecesBeyondTheMemoryThatIsLeft) {
  expect_does_not_fit([] {
    GrowingMemory memory("test");
    std::vector<std::string> names;
    names.reserve(1 << 20);
    while (true) {
      memory.take(4096);
      names.emplace_back(4096, 'a');
    }
  });
}

TEST(HostMemory, IsNotMoreThanTheLimitOnTheAddressSpace) {
  if (!kAddressSpaceCanBeLimited) GTEST_SKIP() << "the address space of a sanitizer cannot be limited";
  const auto child = [] {
    const rlimit limit{status_bytes("VmSize").value_or(0) + (u64{1} << 30), RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit) != 0) std::exit(2);
    std::exit(free_host_bytes() < u64{1} << 30 ? 0 : 1);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace gpuseq
