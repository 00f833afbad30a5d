#include "runtime/folders/scratch_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <optional>
#include <thread>

#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/planted_files.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq {
namespace {

namespace fs = std::filesystem;

class ScratchFolderTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  fs::path parent_ = folder_.path() / "parent";
};

TEST_F(ScratchFolderTest, IsPrivateAndGoesWithEverythingInIt) {
  {
    const ScratchFolder scratch(parent_);
    EXPECT_EQ(fs::status(scratch.path()).permissions(), fs::perms(0700));
    EXPECT_EQ(fs::status(parent_).permissions(), fs::perms(0700));
    fs::create_directories(scratch.path() / "a" / "b");
  }
  EXPECT_TRUE(fs::is_empty(parent_));
}

TEST_F(ScratchFolderTest, RemovesThoseOfProcessesThatDiedAndNoOthers) {
  const ScratchFolder in_use(parent_);
  folder_.write("parent/gpuseq-scratch-dead01/file", "x");
  folder_.write("parent/another", "x");
  const ScratchFolder scratch(parent_);
  EXPECT_FALSE(fs::exists(parent_ / "gpuseq-scratch-dead01"));
  EXPECT_TRUE(fs::exists(parent_ / "another"));
  EXPECT_TRUE(fs::exists(in_use.path()));
}

TEST_F(ScratchFolderTest, FollowsNoLinkAndRemovesNone) {
  const ScratchFolder first(parent_);
  folder_.write("elsewhere/file", "x");
  const fs::path link = parent_ / "gpuseq-scratch-link01";
  fs::create_directory_symlink(folder_.path() / "elsewhere", link);
  const ScratchFolder second(parent_);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_TRUE(fs::exists(folder_.path() / "elsewhere" / "file"));
}

TEST_F(ScratchFolderTest, LeavesThoseOfOtherUsersAlone) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a folder of another user";
  const ScratchFolder first(parent_);
  const fs::path theirs = folder_.write("parent/gpuseq-scratch-them01/file", "x").parent_path();
  ASSERT_EQ(lchown(theirs.c_str(), testing::kAnotherUser, testing::kAnotherUser), 0);
  const ScratchFolder second(parent_);
  EXPECT_TRUE(fs::exists(theirs / "file"));
}

TEST_F(ScratchFolderTest, StandsWhileManyAreMadeAtOnce) {
  std::vector<std::thread> makers;
  for (int i = 0; i < 4; ++i)
    makers.emplace_back([&] {
      for (int times = 0; times < 50; ++times) {
        const ScratchFolder scratch(parent_);
        EXPECT_TRUE(fs::is_directory(scratch.path()));
      }
    });
  for (std::thread& maker : makers) maker.join();
  EXPECT_TRUE(fs::is_empty(parent_));
}

TEST_F(ScratchFolderTest, IsNotMadeWhereOthersMayWrite) {
  fs::create_directory(parent_);
  fs::permissions(parent_, fs::perms(0770));
  expect_error_text<ResourceError>([&] { ScratchFolder scratch(parent_); });
  expect_error_text<ResourceError>([&] { ScratchFolder scratch(folder_.write("file", "") / "x"); });
}

}  // namespace
}  // namespace gpuseq
