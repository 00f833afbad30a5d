#include "bench/config/cache_dir.hpp"

#include <pwd.h>

#include <cstdlib>
#include <map>
#include <optional>

#include "bench/config/config.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/planted_files.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::bench {
namespace {

using ::testing::Not;
using ::testing::StartsWith;
namespace fs = std::filesystem;

class CacheDirTest : public ::testing::Test {
 protected:
  CacheDirTest() {
    for (const char* name : {"XDG_CACHE_HOME", "HOME"}) {
      const char* value = std::getenv(name);
      before_[name] = value == nullptr ? std::nullopt : std::optional<std::string>(value);
      unsetenv(name);
    }
  }
  ~CacheDirTest() override {
    for (const auto& [name, value] : before_)
      if (value)
        setenv(name.c_str(), value->c_str(), 1);
      else
        unsetenv(name.c_str());
  }
  fs::path folder(const std::string& name, fs::perms mode = fs::perms(0700)) const {
    fs::create_directories(folder_.path() / name);
    fs::permissions(folder_.path() / name, mode);
    return folder_.path() / name;
  }
  static fs::path home_of_user() {
    const struct passwd* entry = getpwuid(geteuid());
    std::error_code error;
    return entry != nullptr && fs::is_directory(entry->pw_dir, error) ? entry->pw_dir : fs::path();
  }

  TemporaryFolder folder_;
  std::map<std::string, std::optional<std::string>> before_;
};

TEST_F(CacheDirTest, IsWhatTheVariableSaysElseInTheHome) {
  setenv("HOME", folder("home").c_str(), 1);
  EXPECT_EQ(default_cache_dir().path, folder("home") / ".cache" / "gpuseq-bench");
  setenv("XDG_CACHE_HOME", folder("xdg").c_str(), 1);
  EXPECT_EQ(default_cache_dir().path, folder("xdg") / "gpuseq-bench");
  EXPECT_EQ(default_cache_dir().remark, "");
}

TEST_F(CacheDirTest, IgnoresAVariableThatIsNoAbsolutePath) {
  setenv("HOME", folder("home").c_str(), 1);
  for (const char* relative : {"", "cache", "./cache", "~/.cache"}) {
    setenv("XDG_CACHE_HOME", relative, 1);
    EXPECT_EQ(default_cache_dir().path, folder("home") / ".cache" / "gpuseq-bench") << relative;
  }
}

TEST_F(CacheDirTest, IsNeverInAFolderOfEverybody) {
  const fs::path database = home_of_user();
  const fs::path other = folder("everybodys", fs::perms(01777));
  for (const std::optional<std::string>& home :
       {std::optional<std::string>(), std::optional<std::string>(""), std::optional<std::string>("relative"),
        std::optional<std::string>("/nonexistent"), std::optional(other.string())}) {
    if (home)
      setenv("HOME", home->c_str(), 1);
    else
      unsetenv("HOME");
    const CacheDir cache = default_cache_dir();
    EXPECT_THAT(cache.path.string(), Not(StartsWith(other.string())));
    EXPECT_THAT(cache.path.string(), Not(StartsWith("/tmp")));
    if (cache.path.empty())
      EXPECT_NE(cache.remark, "");
    else
      EXPECT_EQ(cache.path, database / ".cache" / "gpuseq-bench");
  }
}

TEST_F(CacheDirTest, IsNoneWhereTheFolderIsNotPrivate) {
  setenv("HOME", folder("home").c_str(), 1);
  const fs::path cache = folder("home/.cache/gpuseq-bench", fs::perms(0755));
  EXPECT_EQ(default_cache_dir().path, cache);  // others may read it, no more
  fs::permissions(cache, fs::perms(0775));
  EXPECT_EQ(default_cache_dir().path, "");
  expect_text(default_cache_dir().remark);
  EXPECT_EQ(chosen_cache_dir({}, "--cache-dir"), "");
  if (geteuid() != 0) return;  // only root can give a folder away
  fs::permissions(cache, fs::perms(0755));
  ASSERT_EQ(lchown(cache.c_str(), gpuseq::testing::kAnotherUser, gpuseq::testing::kAnotherUser), 0);
  EXPECT_NE(default_cache_dir().remark.find("65534"), std::string::npos);
}

TEST_F(CacheDirTest, ThatIsNamedIsMadeOrRefusedByName) {
  const fs::path named = folder_.path() / "new" / "cache";
  EXPECT_EQ(chosen_cache_dir(named, "--cache-dir"), named);
  EXPECT_EQ(fs::status(named).permissions(), fs::perms(0700));
  fs::permissions(named, fs::perms(02775));
  expect_error_text([&] { chosen_cache_dir(named, "--cache-dir"); });
  const nlohmann::json document{{"name", "x"}, {"cache_dir", named.string()}};
  expect_error_text([&] { check_data(config_from_json(document, "x.json", "/")); });
}

TEST_F(CacheDirTest, OfAConfigIsTheDefaultOneWhereItNamesNone) {
  setenv("HOME", folder("home").c_str(), 1);
  EXPECT_EQ(config_from_json({{"name", "x"}}, "x.json", "/").cache_dir, default_cache_dir().path);
  folder("home/.cache/gpuseq-bench", fs::perms(0777));
  EXPECT_EQ(config_from_json({{"name", "x"}}, "x.json", "/").cache_dir, "");
}

}  // namespace
}  // namespace gpuseq::bench
