#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gpuseq::testing {

/// A way in which another user may have put or changed a file of a cache.
struct Planting {
  const char* name;
  const char* complaint;                                    // the message expected for it
  std::function<bool(const std::filesystem::path&)> plant;  // does it to a sound file; false: cannot
};

inline constexpr uid_t kAnotherUser = 65534;

/// Those that need root to be made are left out for others.
inline std::vector<Planting> plantings() {
  namespace fs = std::filesystem;
  std::vector<Planting> all{
      {"a symbolic link", "is a symbolic link",
       [](const fs::path& file) {
         const fs::path elsewhere = file.string() + ".elsewhere";
         fs::rename(file, elsewhere);
         return symlink(elsewhere.c_str(), file.c_str()) == 0;
       }},
      {"a folder", "is no regular file",
       [](const fs::path& file) { return fs::remove(file) && mkdir(file.c_str(), 0700) == 0; }},
      {"a file that its group may write to", "has the mode 0660",
       [](const fs::path& file) { return chmod(file.c_str(), 0660) == 0; }},
      {"a folder that others may write to", "has the mode 0707",
       [](const fs::path& file) { return chmod(file.parent_path().c_str(), 0707) == 0; }},
      {"a folder that everybody may write to, with the sticky bit", "has the mode 1777",
       [](const fs::path& file) { return chmod(file.parent_path().c_str(), 01777) == 0; }},
      {"a pipe", "is no regular file",
       [](const fs::path& file) { return fs::remove(file) && mkfifo(file.c_str(), 0600) == 0; }},
  };
  if (geteuid() != 0) return all;
  all.push_back({"a file of another user", "belongs to the user 65534",
                 [](const fs::path& file) { return lchown(file.c_str(), kAnotherUser, kAnotherUser) == 0; }});
  all.push_back({"a folder of another user", "belongs to the user 65534", [](const fs::path& file) {
                   return lchown(file.parent_path().c_str(), kAnotherUser, kAnotherUser) == 0;
                 }});
  return all;
}

/// Expects that none of the plantings is read.
/// @param make  makes the sound file in a new folder, and gives its path
/// @param read  reads it: empty where it was taken, else the message about it
inline void expect_refused(const std::function<std::filesystem::path()>& make,
                           const std::function<std::string()>& read) {
  for (const Planting& planting : plantings()) {
    const std::filesystem::path file = make();
    ASSERT_TRUE(planting.plant(file)) << planting.name;
    EXPECT_THAT(read(), ::testing::HasSubstr(planting.complaint)) << planting.name;
    std::filesystem::remove_all(file.parent_path());
  }
}

}  // namespace gpuseq::testing
