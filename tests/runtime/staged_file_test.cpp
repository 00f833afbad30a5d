#include "runtime/io/staged_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "runtime/contract/errors.hpp"
#include "runtime/io/output_files.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

unsigned mode_of(const fs::path& path) {
  return static_cast<unsigned>(fs::status(path).permissions());
}

/// The umask of this process while it lives.
class Umask {
 public:
  explicit Umask(mode_t mask) : before_(umask(mask)) {}
  ~Umask() { umask(before_); }
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;

 private:
  mode_t before_;
};

/// Both ways in which content waits for its place.
class StagedFileTest : public testing::TestWithParam<Staging> {
 protected:
  void write(const fs::path& path, std::string_view content) const {
    StagedFile file(path, GetParam());
    file.out() << content;
    file.commit();
  }
  std::string error(const fs::path& path) const {
    try {
      StagedFile(path, GetParam());
    } catch (const ResourceError& failure) {
      return failure.what();
    }
    return "none";
  }

  TemporaryFolder folder_;
  fs::path path_ = folder_.path() / "result.tsv";
};

INSTANTIATE_TEST_SUITE_P(Both, StagedFileTest, testing::Values(Staging::unnamed, Staging::named),
                         [](const auto& test) { return test.param == Staging::named ? "Named" : "Unnamed"; });

TEST_P(StagedFileTest, TakesThePlaceOfTheOldFileWhenItIsCommitted) {
  folder_.write("result.tsv", "old");
  StagedFile file(path_, GetParam());
  file.out() << "new " << 1 << '\n';
  file.flush();
  EXPECT_EQ(read_file(path_), "old");
  file.complete();
  EXPECT_EQ(read_file(path_), "old");
  file.commit();
  EXPECT_EQ(read_file(path_), "new 1\n");
  EXPECT_EQ(entries(folder_.path()), 1u);
}

TEST_P(StagedFileTest, LeavesTheOldFileAndNothingElseIfItIsNot) {
  folder_.write("result.tsv", "old");
  const auto before = fs::last_write_time(path_);
  {
    StagedFile file(path_, GetParam());
    file.out() << std::string(1'000'000, 'x');
    file.flush();
  }
  EXPECT_EQ(read_file(path_), "old");
  EXPECT_EQ(fs::last_write_time(path_), before);
  EXPECT_EQ(entries(folder_.path()), 1u);
  { const StagedFile file(folder_.path() / "another", GetParam()); }
  EXPECT_EQ(entries(folder_.path()), 1u);
}

TEST_P(StagedFileTest, HoldsPiecesOfAnyLengthInTheirOrder) {
  std::string expected;
  StagedFile file(path_, GetParam());
  for (const std::size_t length : {0u, 1u, 65'535u, 1u, 65'536u, 65'537u, 40'000u, 40'000u, 1'000'000u, 3u}) {
    const std::string piece(length, static_cast<char>('a' + expected.size() % 26));
    file.out() << piece << '.';
    file.out().put('\n');
    expected += piece + ".\n";
  }
  file.commit();
  EXPECT_TRUE(read_file(path_) == expected);
}

TEST_P(StagedFileTest, GivesANewFileWhatTheUmaskLeavesAndKeepsTheModeOfAnOldOne) {
  for (const mode_t mask : {0022u, 0002u, 0077u, 0u}) {
    const Umask set(mask);
    write(path_, "new");
    EXPECT_EQ(mode_of(path_), 0666 & ~mask);
    fs::remove(path_);
  }
  for (const unsigned mode : {0600u, 0640u, 0666u, 0755u}) {
    folder_.write("result.tsv", "old");
    ASSERT_EQ(chmod(path_.c_str(), mode), 0);
    write(path_, "new");
    EXPECT_EQ(mode_of(path_), mode);
    EXPECT_EQ(read_file(path_), "new");
  }
}

TEST_P(StagedFileTest, KeepsTheOwnerOfAnOldFileWhereItMay) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may give a file to another";
  folder_.write("result.tsv", "old");
  ASSERT_EQ(chown(path_.c_str(), 12, 34), 0);
  write(path_, "new");
  struct stat status {};
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 12u);
  EXPECT_EQ(status.st_gid, 34u);
}

TEST_P(StagedFileTest, ReplacesWhatALinkPointsToAndKeepsTheLink) {
  fs::create_directory(folder_.path() / "elsewhere");
  folder_.write("elsewhere/result", "old");
  fs::create_symlink("elsewhere/result", folder_.path() / "near");
  fs::create_symlink(folder_.path() / "near", folder_.path() / "far");
  write(folder_.path() / "far", "new");
  EXPECT_EQ(read_file(folder_.path() / "elsewhere/result"), "new");
  EXPECT_TRUE(fs::is_symlink(folder_.path() / "near"));
  EXPECT_TRUE(fs::is_symlink(folder_.path() / "far"));

  fs::remove(folder_.path() / "elsewhere/result");  // both lead nowhere then
  write(folder_.path() / "far", "made");
  EXPECT_EQ(read_file(folder_.path() / "elsewhere/result"), "made");

  fs::create_symlink("circle", folder_.path() / "circle");
  expect_text(error(folder_.path() / "circle"));
}

TEST_P(StagedFileTest, AFileThatAnotherMadeInTheMeantimeIsReplacedWithItsMode) {
  StagedFile file(path_, GetParam());
  file.out() << "mine";
  folder_.write("result.tsv", "another's");
  ASSERT_EQ(chmod(path_.c_str(), 0600), 0);
  file.commit();
  EXPECT_EQ(read_file(path_), "mine");
  EXPECT_EQ(mode_of(path_), 0600u);
  EXPECT_EQ(entries(folder_.path()), 1u);
}

TEST_P(StagedFileTest, SaysAtOnceWhatKeepsItFromBeingWritten) {
  expect_text(error(folder_.path() / "none" / "result"));
  expect_text(error(folder_.path()));
  expect_text(error(folder_.path() / "none" / ""));
  expect_text(error(folder_.path() / std::string(300, 'n')));
  expect_text(error(folder_.write("file", "") / "result"));
  expect_text(error(""));
  EXPECT_EQ(error(folder_.path() / std::string(255, 'n')), "none");
  EXPECT_THAT(error("/proc/gpuseq"), HasSubstr("/proc/gpuseq"));  // no file can be made there
  EXPECT_EQ(entries(folder_.path()), 1u);
}

/// A user without privileges, whose current folder is `folder`, while it lives. Names that a test
/// gives are relative: that user may have no way to the folder from the root of the machine.
class OtherUser {
 public:
  explicit OtherUser(const fs::path& folder) {
    fs::current_path(folder);
    refused_ = geteuid() == 0 && seteuid(kNobody) != 0;
  }
  ~OtherUser() {
    refused_ = seteuid(before_) != 0;
    fs::current_path(folder_before_);
  }
  OtherUser(const OtherUser&) = delete;
  OtherUser& operator=(const OtherUser&) = delete;
  bool refused() const { return refused_; }

 private:
  static constexpr uid_t kNobody = 65534;
  fs::path folder_before_ = fs::current_path();
  uid_t before_ = geteuid();
  bool refused_ = false;
};

TEST_P(StagedFileTest, AProtectedFileOrFolderIsNotWritten) {
  folder_.write("result.tsv", "old");
  ASSERT_EQ(chmod(path_.c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder_.path().c_str(), 0777), 0);
  const OtherUser user(folder_.path());
  ASSERT_FALSE(user.refused());
  expect_text(error("result.tsv"));
  EXPECT_EQ(error("another"), "none");
  fs::create_directory("protected");
  ASSERT_EQ(chmod("protected", 0555), 0);
  expect_text(error("protected/another"));
}

TEST_P(StagedFileTest, AnothersFileInAFolderForAllCannotBeReplaced) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may become another user";
  folder_.write("result.tsv", "old");
  ASSERT_EQ(chmod(path_.c_str(), 0666), 0);
  ASSERT_EQ(chmod(folder_.path().c_str(), 01777), 0);
  const OtherUser user(folder_.path());
  ASSERT_FALSE(user.refused());
  expect_text(error("result.tsv"));
  EXPECT_EQ(error("another"), "none");
}

TEST_P(StagedFileTest, AFileThatIsAMountPointCannotBeReplaced) {
  const fs::path inner = folder_.write("inner", "old");
  folder_.write("result.tsv", "");
  if (mount(inner.c_str(), path_.c_str(), nullptr, MS_BIND, nullptr) != 0)
    GTEST_SKIP() << "no permission to mount";
  EXPECT_THAT(error(path_), HasSubstr("busy"));
  umount(path_.c_str());
}

/// Limits the size that this process may make a file, as a full disk would.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_P(StagedFileTest, AFullDiskIsAnErrorAndLeavesTheOldFile) {
  folder_.write("result.tsv", "old");
  {
    const FileSizeLimit limit(100'000);
    StagedFile file(path_, GetParam());
    for (int i = 0; i < 20'000; ++i) file.out() << "a line of text\n";
    expect_error_text<ResourceError>([&] { file.flush(); });
    EXPECT_THROW(file.commit(), ResourceError);
  }
  EXPECT_EQ(read_file(path_), "old");
  EXPECT_EQ(entries(folder_.path()), 1u);
}

TEST(StagedFile, WritesToDevicesAndPipesAtOnceAndLeavesThemWhatTheyAre) {
  {
    StagedFile null("/dev/null");
    null.out() << "nothing";
    null.commit();
  }
  EXPECT_EQ(fs::status("/dev/null").type(), fs::file_type::character);
  StagedFile full("/dev/full");
  full.out() << "too much";
  expect_error_text<ResourceError>([&] { full.commit(); });

  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe", link = folder.path() / "link";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink(pipe, link);
  const FileDescriptor reader(open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  StagedFile file(link);
  file.out() << "first";
  file.flush();
  std::array<char, 64> buffer{};
  EXPECT_EQ(read(reader.get(), buffer.data(), buffer.size()), 5);
  file.commit();
  EXPECT_EQ(fs::status(pipe).type(), fs::file_type::fifo);
  EXPECT_EQ(entries(folder.path()), 2u);
}

TEST(StagedFile, WritesWhereAnOpenFileStandsThatIsNamedByItsDescriptor) {
  const TemporaryFolder folder;
  const fs::path path = folder.write("log", "one\n"), link = folder.path() / "link";
  const FileDescriptor open_file(open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));  // as by >> log
  fs::create_symlink("/proc/self/fd/" + std::to_string(open_file.get()), link);         // as /dev/stdout is
  for (const fs::path& name : {link, fs::path("/dev/fd") / std::to_string(open_file.get())}) {
    StagedFile file(name);
    file.out() << "more\n";
    file.commit();
  }
  write_file_atomically(link, "most\n");
  EXPECT_EQ(open_file.write_all("last\n"), 0);
  EXPECT_EQ(read_file(path), "one\nmore\nmore\nmost\nlast\n");
  EXPECT_TRUE(fs::is_symlink(link));

  const FileDescriptor to_read(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_THROW(StagedFile(fs::path("/dev/fd") / std::to_string(to_read.get())), ResourceError);
  EXPECT_THROW(StagedFile("/dev/fd/99999"), ResourceError);
}

TEST(AtomicFile, HasTheModeThatTheUmaskLeavesOrThatTheFileHad) {
  const TemporaryFolder folder;
  const Umask mask(0027);
  write_file_atomically(folder.path() / "f", "first");
  EXPECT_EQ(mode_of(folder.path() / "f"), 0640u);
  ASSERT_EQ(chmod((folder.path() / "f").c_str(), 0604), 0);
  write_file_atomically(folder.path() / "f", "second");
  EXPECT_EQ(mode_of(folder.path() / "f"), 0604u);
}

TEST(OutputFiles, TakeTheirPlacesTogether) {
  const TemporaryFolder folder;
  const fs::path out = folder.write("out", "old"), tree = folder.write("tree", "old tree");
  {
    OutputFiles files("toy", {}, {{"out", out}, {"tree", tree}, {"log", "/dev/full"}});
    EXPECT_TRUE(files.has("tree"));
    EXPECT_FALSE(files.has("matrix"));
    EXPECT_EQ(files.path("tree"), tree);
    for (const char* role : {"out", "tree", "log"}) files.at(role) << "new";
    expect_error_text<ResourceError>([&] { files.flush(); });
    EXPECT_THROW(files.commit(), ResourceError);
  }
  EXPECT_EQ(read_file(out), "old");
  EXPECT_EQ(read_file(tree), "old tree");
  OutputFiles files("toy", {}, {{"out", out}, {"tree", tree}});
  files.at("tree") << "new tree";
  files.commit();
  EXPECT_EQ(read_file(out), "");
  EXPECT_EQ(read_file(tree), "new tree");
}

TEST(OutputFiles, AreRefusedWithoutTouchingAny) {
  const TemporaryFolder folder;
  const fs::path out = folder.write("out", "old"), data = folder.write("data", "read");
  expect_error_text([&] { OutputFiles("toy", {}, {{"tree", out}}); });
  expect_error_text([&] { OutputFiles("toy", {{"reads", data}}, {{"out", data}}); });
  EXPECT_THROW(OutputFiles("toy", {}, {{"out", out}, {"tree", folder.path() / "none" / "tree"}}),
               ResourceError);
  EXPECT_EQ(read_file(out), "old");
  EXPECT_EQ(entries(folder.path()), 2u);
}

}  // namespace
}  // namespace gpuseq
