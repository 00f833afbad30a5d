#include "runtime/io/private_file.hpp"

#include <array>
#include <thread>

#include "runtime/io/atomic_file.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/planted_files.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq {
namespace {

namespace fs = std::filesystem;

unsigned mode_of(const fs::path& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777u : ~0u;
}

std::string written(const fs::path& path, std::string_view content) {
  return write_private_file(path, std::array{content});
}

/// A umask for the time of a test.
class Umask {
 public:
  explicit Umask(mode_t mask) : before_(umask(mask)) {}
  ~Umask() { umask(before_); }
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;

 private:
  mode_t before_;
};

TEST(PrivateFile, ComesBackAsItWasWrittenFromFoldersThatNobodyElseEnters) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "some" / "cache" / "file";
  for (const mode_t mask : {0u, 022u, 077u}) {
    const Umask masked(mask);
    EXPECT_EQ(written(file, "content"), "");
    EXPECT_EQ(mode_of(file), 0600u);
    EXPECT_EQ(mode_of(file.parent_path()), 0700u);
    EXPECT_EQ(mode_of(file.parent_path().parent_path()), 0700u);
    std::string refusal;
    EXPECT_EQ(read_private_file(file, refusal), "content");
    EXPECT_EQ(refusal, "");
    fs::remove_all(folder.path() / "some");
  }
}

TEST(PrivateFile, IsNoWiderThanAUmaskThatForbidsEvenItsOwner) {
  const TemporaryFolder folder;
  const Umask masked(0277);
  EXPECT_EQ(written(folder.path() / "file", "content"), "");
  EXPECT_EQ(mode_of(folder.path() / "file"), 0400u);
}

TEST(PrivateFile, IsReadWhereAnOlderVersionLetOthersReadIt) {
  const TemporaryFolder folder;
  const fs::path file = folder.write("cache/file", "content");
  fs::permissions(file, fs::perms(0644));
  fs::permissions(file.parent_path(), fs::perms(0755));
  std::string refusal;
  EXPECT_EQ(read_private_file(file, refusal), "content");
  EXPECT_EQ(refusal, "");
}

TEST(PrivateFile, ThatIsMissingIsNoReasonToComplain) {
  const TemporaryFolder folder;
  std::string refusal;
  EXPECT_FALSE(open_private_file(folder.path() / "none", refusal));
  EXPECT_FALSE(open_private_file(folder.path() / "no folder" / "none", refusal));
  EXPECT_EQ(refusal, "");
}

TEST(PrivateFile, ThatAnotherUserMayHaveMadeIsRefused) {
  const TemporaryFolder folder;
  testing::expect_refused([&] { return folder.write("cache/file", "content"); },
                          [&] {
                            std::string refusal;
                            read_private_file(folder.path() / "cache" / "file", refusal);
                            return refusal;
                          });
}

TEST(PrivateFile, IsNotWrittenIntoAFolderThatOthersMayWriteTo) {
  const TemporaryFolder folder;
  const fs::path shared = folder.path() / "shared";
  fs::create_directory(shared);
  fs::permissions(shared, fs::perms(0770));
  expect_text(written(shared / "file", "content"));
  EXPECT_TRUE(fs::is_empty(shared));
  expect_text(make_private_folder(shared / ""));
  expect_text(why_not_private(shared));
  const fs::path link = folder.path() / "link";
  fs::create_directory_symlink(shared, link);
  expect_text(written(link / "file", "content"));
  fs::permissions(shared, fs::perms(0700));
  EXPECT_EQ(written(link / "file", "content"), "");
}

TEST(PrivateFile, IsNotWrittenWhereAnotherUserHasALink) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a link of another user";
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "mine");
  const fs::path link = folder.path() / "link";
  fs::create_directory_symlink(folder.path() / "mine", link);
  ASSERT_EQ(lchown(link.c_str(), testing::kAnotherUser, testing::kAnotherUser), 0);
  for (const fs::path& way : {link, link / ""}) expect_text(make_private_folder(way));
}

TEST(PrivateFile, SaysWhyItCannotBeWritten) {
  const TemporaryFolder folder;
  const fs::path file = folder.write("file", "no folder");
  expect_text(written(file / "cache" / "x", ""));
  expect_text(make_private_folder(file));
  EXPECT_EQ(why_not_private(folder.path() / "none"), "");
}

TEST(PrivateFile, IsWholeWhileManyWriteIt) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "cache" / "file";
  ASSERT_EQ(written(file, std::string(100'000, 'a')), "");
  std::vector<std::thread> writers;
  for (const char letter : {'a', 'b', 'c', 'd'})
    writers.emplace_back([&file, letter] {
      for (int i = 0; i < 50; ++i) EXPECT_EQ(written(file, std::string(100'000, letter)), "");
    });
  for (int i = 0; i < 200; ++i) {
    std::string refusal;
    const auto content = read_private_file(file, refusal);
    ASSERT_TRUE(content) << refusal;
    ASSERT_EQ(*content, std::string(100'000, content->front()));
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace gpuseq
