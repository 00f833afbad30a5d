#include "runtime/io/archive_member.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/system/child_process.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/planted_files.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class ArchiveMemberTest : public ::testing::Test {
 protected:
  /// An archive of the files in the folder `in`.
  fs::path pack(const std::string& name, const std::string& how) const {
    const fs::path archive = folder_.path() / name;
    run_child({.arguments = {"tar", how, "--force-local", "-C", folder_.path(), "-f", archive, "in"}});
    return archive;
  }
  std::string error(const fs::path& archive, const std::string& member) const {
    try {
      archive_member(archive, member, cache_);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "none";
  }
  std::ptrdiff_t cached_files() const {
    return std::distance(fs::directory_iterator(cache_ / "data"), fs::directory_iterator());
  }

  TemporaryFolder folder_;
  fs::path cache_ = folder_.path() / "cache";
};

TEST_F(ArchiveMemberTest, IsTheFileWhateverCompressesTheArchive) {
  folder_.write("in/a.fa", ">a\nACGT\n");
  folder_.write("in/more/-b.fa", ">b\nTTTT\n");
  for (const auto& [name, how] : {std::pair{"x.tar", "-c"}, {"x.tar.gz", "-cz"}, {"host:x.tgz", "-cz"}}) {
    const fs::path archive = pack(name, how);
    const fs::path file = archive_member(archive, "in/a.fa", cache_);
    EXPECT_EQ(read_file(file), ">a\nACGT\n");
    EXPECT_THAT(file.filename().string(), ::testing::EndsWith("a.fa"));
    EXPECT_EQ(read_file(archive_member(archive, "in/more/-b.fa", cache_)), ">b\nTTTT\n");
  }
  EXPECT_EQ(cached_files(), 6);  // and nothing else is left there
}

TEST_F(ArchiveMemberTest, IsUnpackedAgainOnlyWhereTheArchiveHasChanged) {
  folder_.write("in/a.fa", ">a\nACGT\n");
  const fs::path archive = pack("x.tar", "-c");
  const fs::path file = archive_member(archive, "in/a.fa", cache_);
  const auto written = fs::last_write_time(file);
  EXPECT_EQ(archive_member(archive, "in/a.fa", cache_), file);
  EXPECT_EQ(fs::last_write_time(file), written);
  folder_.write("in/a.fa", ">a\nGGGG\n");
  fs::last_write_time(pack("x.tar", "-c"), written + std::chrono::seconds(5));
  EXPECT_EQ(read_file(archive_member(archive, "in/a.fa", cache_)), ">a\nGGGG\n");
}

TEST_F(ArchiveMemberTest, IsUnpackedAgainThoughTheTimeOfTheArchiveIsSetBack) {
  folder_.write("in/a.fa", ">a\nACGT\n");
  const auto before = fs::last_write_time(pack("x.tar", "-c"));
  archive_member(folder_.path() / "x.tar", "in/a.fa", cache_);
  folder_.write("in/a.fa", ">a\nGGGG\n");
  const fs::path archive = pack("x.tar", "-c");  // as large as before
  fs::last_write_time(archive, before);
  EXPECT_EQ(read_file(archive_member(archive, "in/a.fa", cache_)), ">a\nGGGG\n");
}

TEST_F(ArchiveMemberTest, IsNotTakenFromWhereAnotherUserMayHavePutIt) {
  folder_.write("in/a.fa", ">a\nACGT\n");
  const fs::path archive = pack("x.tar", "-c");
  for (const auto& planting : testing::plantings()) {
    const fs::path file = archive_member(archive, "in/a.fa", cache_);
    std::ofstream(file) << ">a\nforged\n";
    ASSERT_TRUE(planting.plant(file)) << planting.name;
    std::string content = "refused";
    try {
      content = read_file(archive_member(archive, "in/a.fa", cache_));
    } catch (const ResourceError& error) {  // a folder cannot be mended from here
      EXPECT_THAT(error.what(), HasSubstr(planting.complaint));
    }
    const bool folder = std::string_view(planting.name).starts_with("a folder ");
    EXPECT_EQ(content, folder ? "refused" : ">a\nACGT\n") << planting.name;
    fs::remove_all(cache_);
  }
}

TEST_F(ArchiveMemberTest, IsNotForOthersToReadThatCannotReadTheCache) {
  folder_.write("in/a.fa", ">a\nACGT\n");
  const fs::path file = archive_member(pack("x.tar", "-c"), "in/a.fa", cache_);
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0600));
  EXPECT_EQ(fs::status(cache_).permissions(), fs::perms(0700));
  EXPECT_EQ(fs::status(cache_ / "data").permissions(), fs::perms(0700));
}

TEST_F(ArchiveMemberTest, WhatIsNoFileOfTheArchiveIsRefusedByName) {
  folder_.write("in/a.fa", ">a\nACGT\n");
  folder_.write("in/empty", "");
  const fs::path archive = pack("x.tar.gz", "-cz");
  EXPECT_THAT(error(archive, "in/b.fa"), AllOf(HasSubstr("x.tar.gz: member in/b.fa"), HasSubstr("tar -tf")));
  expect_text(error(archive, "in"));
  EXPECT_THAT(error(archive, "in/*"), HasSubstr("member in/*"));
  expect_text(error(archive, "in/empty"));
  EXPECT_THAT(error(archive, "--help"), HasSubstr("member --help"));
  EXPECT_THAT(error(folder_.write("junk", "no archive"), "in/a.fa"), HasSubstr("junk: member in/a.fa"));
  expect_text(error(folder_.path() / "nothing", "in/a.fa"));
  const std::string whole = read_file(archive);
  const fs::path cut = folder_.write("cut.tar.gz", whole.substr(0, whole.size() / 2));
  EXPECT_THAT(error(cut, "in/a.fa"), HasSubstr("cut.tar.gz: member in/a.fa"));
  EXPECT_EQ(cached_files(), 0);
}

}  // namespace
}  // namespace gpuseq
