#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/system/huge_buffer.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq {
namespace {

namespace fs = std::filesystem;

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(AtomicFile, ReplacesTheContentAndLeavesNothingElseBehind) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "run.json";
  write_file_atomically(file, "first");
  write_file_atomically(file, std::string(100'000, 'x'), Durability::survives_crash_of_program);
  EXPECT_EQ(read_file(file), std::string(100'000, 'x'));
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(AtomicFile, WritesToAPipeAndDoesNotReplaceIt) {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  write_file_atomically(pipe, "all of it");
  std::array<char, 64> buffer{};
  EXPECT_EQ(read(reader, buffer.data(), buffer.size()), 9);
  EXPECT_STREQ(buffer.data(), "all of it");
  EXPECT_EQ(fs::status(pipe).type(), fs::file_type::fifo);
  close(reader);
}

TEST(AtomicFile, SaysWhichFileCannotBeWrittenAndWhy) {
  const TemporaryFolder folder;
  expect_error_text<ResourceError>([&] { write_file_atomically(folder.path() / "none" / "f", ""); });
  fs::create_directory(folder.path() / "taken");
  EXPECT_THROW(write_file_atomically(folder.path() / "taken", "x"), ResourceError);
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(ReadFile, SaysWhichFileCannotBeReadAndWhy) {
  const TemporaryFolder folder;
  expect_error_text([&] { read_file(folder.path() / "none"); });
  expect_error_text([&] { read_file(folder.path()); });
}

TEST(HugeBuffer, IsZeroedAlignedMemoryOfTheSizeAskedFor) {
  for (const Pages pages : {Pages::small, Pages::huge}) {
    HugeBuffer buffer(3'000'001, pages);
    EXPECT_EQ(buffer.size(), 3'000'001u);
    const std::size_t alignment = pages == Pages::huge ? std::size_t{2} << 20 : 4096;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % alignment, 0u);
    for (std::size_t i = 0; i < buffer.size(); i += 997) EXPECT_EQ(buffer.data()[i], std::byte{0});
    buffer.data()[buffer.size() - 1] = std::byte{1};
  }
}

TEST(HugeBuffer, MovesItsMemory) {
  HugeBuffer first(100);
  first.data()[0] = std::byte{7};
  HugeBuffer second(std::move(first));
  EXPECT_EQ(second.data()[0], std::byte{7});
  HugeBuffer third;
  EXPECT_EQ(third.data(), nullptr);
  third = std::move(second);
  EXPECT_EQ(third.size(), 100u);
  EXPECT_EQ(HugeBuffer(0).data(), nullptr);
}

TEST(HugeBuffer, SaysHowMuchMemoryCannotBeHad) {
  expect_error_text<ResourceError>([] { HugeBuffer(std::size_t{1} << 60); });
  EXPECT_THROW(HugeBuffer(~std::size_t{0}), ResourceError);
}

}  // namespace
}  // namespace gpuseq
