#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace gpuseq {

/// A control group of one test's own that grants half a processor, where the test has the rights to make one.
class OwnControlGroup {
 public:
  OwnControlGroup() {
    std::error_code error;
    if (!std::filesystem::create_directory(folder_, error) || error) return;
    std::ofstream(folder_ / "cpu.cfs_quota_us") << 50000;
    std::ofstream(folder_ / "cpu.max") << "50000 100000";
    std::ifstream quota(folder_ / (version_1_ ? "cpu.cfs_quota_us" : "cpu.max"));
    std::string text;
    quota >> text;
    usable_ = text == "50000";
  }
  ~OwnControlGroup() { rmdir(folder_.c_str()); }
  OwnControlGroup(const OwnControlGroup&) = delete;
  OwnControlGroup& operator=(const OwnControlGroup&) = delete;

  bool usable() const { return usable_; }
  /// Moves the calling process in. @returns whether that was allowed
  bool enter() const { return (std::ofstream(folder_ / "cgroup.procs") << getpid() << std::flush).good(); }

 private:
  bool version_1_ = std::filesystem::exists("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  std::filesystem::path folder_ =
      std::filesystem::path(version_1_ ? "/sys/fs/cgroup/cpu" : "/sys/fs/cgroup") /
      ("gpuseq-test-" + std::to_string(getpid()));
  bool usable_ = false;
};

}  // namespace gpuseq
