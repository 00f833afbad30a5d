#include "runtime/folders/staged_folder.hpp"

#include <gmock/gmock.h>

#include <set>

#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq {
namespace {

namespace fs = std::filesystem;

class StagedFolderTest : public ::testing::Test {
 protected:
  static void fill(const StagedFolder& staged) {
    fs::create_directories(staged.path() / "src");
    write_file_atomically(staged.path() / "src" / "a.c", "a");
    write_file_atomically(staged.path() / "README", "b");
  }
  std::set<std::string> names(const fs::path& folder) const {
    std::set<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      found.insert(fs::relative(entry.path(), folder).string());
    return found;
  }

  TemporaryFolder folder_;
  const fs::path target_ = folder_.path() / "out";
  const std::set<std::string> whole_{"src", "src/a.c", "README"};
};

TEST_F(StagedFolderTest, IsAbsentUntilItIsPublished) {
  StagedFolder staged(target_);
  fill(staged);
  EXPECT_FALSE(fs::exists(target_));
  staged.publish();
  EXPECT_EQ(names(target_), whole_);
  EXPECT_EQ(names(folder_.path()).size(), whole_.size() + 1);  // and no other entry
}

TEST_F(StagedFolderTest, LeavesNothingWhenItIsGivenUp) {
  { fill(StagedFolder(target_)); }
  EXPECT_EQ(names(folder_.path()), std::set<std::string>{});
}

TEST_F(StagedFolderTest, RemovesWhatAKilledOneLeft) {
  folder_.write(".gpuseq-scratch-dead01/content/half", "x");
  folder_.write(".gpuseq-another", "x");
  StagedFolder staged(target_);
  fill(staged);
  staged.publish();
  EXPECT_FALSE(fs::exists(folder_.path() / ".gpuseq-scratch-dead01"));
  EXPECT_TRUE(fs::exists(folder_.path() / ".gpuseq-another"));
}

TEST_F(StagedFolderTest, ReplacesAnEmptyFolderAndKeepsItsMode) {
  fs::create_directory(target_);
  fs::permissions(target_, fs::perms(0750));
  StagedFolder staged(target_);
  fill(staged);
  EXPECT_TRUE(fs::is_empty(target_));
  staged.publish();
  EXPECT_EQ(names(target_), whole_);
  EXPECT_EQ(fs::status(target_).permissions(), fs::perms(0750));
}

TEST_F(StagedFolderTest, ReplacesAFolderThatHasOnlyWhatMayBeLost) {
  folder_.write("out/.lock", "x");
  StagedFolder staged(target_, ".lock");
  fill(staged);
  staged.publish();
  EXPECT_EQ(names(target_), whole_);
  EXPECT_EQ(names(folder_.path()).size(), whole_.size() + 1);
}

TEST_F(StagedFolderTest, KeepsWhatIsInAFolderThatIsNotEmpty) {
  folder_.write("out/mine", "x");
  StagedFolder staged(target_);
  fill(staged);
  EXPECT_FALSE(fs::exists(target_ / "README"));
  staged.publish();
  std::set<std::string> expected = whole_;
  expected.insert("mine");
  EXPECT_EQ(names(target_), expected);
}

TEST_F(StagedFolderTest, IsWrittenIntoTheCurrentFolder) {
  fs::create_directory(target_);
  const fs::path before = fs::current_path();
  fs::current_path(target_);
  StagedFolder staged(".");
  fill(staged);
  staged.publish();
  EXPECT_EQ(names("."), whole_);
  fs::current_path(before);
}

TEST_F(StagedFolderTest, FollowsALinkAndTakesATrailingSlash) {
  fs::create_directory(folder_.path() / "real");
  fs::create_directory_symlink(folder_.path() / "real", target_);
  StagedFolder staged(fs::path(target_.string() + "/"));
  fill(staged);
  staged.publish();
  EXPECT_TRUE(fs::is_symlink(target_));
  EXPECT_EQ(names(folder_.path() / "real"), whole_);
}

TEST_F(StagedFolderTest, ThatAFileIsInTheWayOfIsAnError) {
  folder_.write("file", "x");
  EXPECT_THROW(StagedFolder(folder_.path() / "file" / "out"), ResourceError);
}

}  // namespace
}  // namespace gpuseq
