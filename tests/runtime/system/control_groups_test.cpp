#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/system/host_memory.hpp"
#include "runtime/system/proc_files.hpp"
#include "tests/runtime/system/own_control_group.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq {
namespace {

namespace fs = std::filesystem;

class ControlGroups : public ::testing::Test {
 protected:
  void in_group(const std::string& lines) { root_.write("proc/self/cgroup", lines); }
  void mounted(const std::string& lines) { root_.write("proc/self/mountinfo", lines); }
  void quota_of_version_1(const std::string& folder, const std::string& quota) {
    root_.write(folder + "/cpu.cfs_quota_us", quota + "\n");
    root_.write(folder + "/cpu.cfs_period_us", "100000\n");
  }
  /// Processors' worth; 0: no quota.
  double cpus() const {
    const auto quota = least_cpu_quota(root_.path());
    return quota ? quota->cpus : 0;
  }
  TemporaryFolder root_;
};

TEST_F(ControlGroups, ContainerOfVersionTwoIsItsOwnRoot) {
  in_group("0::/\n");
  mounted("31 23 0:28 / /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw,nsdelegate\n");
  root_.write("sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(cpus(), 0.5);
  EXPECT_EQ(least_cpu_quota(root_.path())->file, root_.path() / "sys/fs/cgroup/cpu.max");
  root_.write("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(cpus(), 0);
}

TEST_F(ControlGroups, ContainerOfVersionOneSeesItsOwnGroupAsTheMount) {
  in_group("5:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n0::/docker/abc\n");
  mounted(
      "40 39 0:30 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro,relatime master:11 - cgroup cgroup "
      "rw,cpu,cpuacct\n"
      "41 39 0:31 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
  quota_of_version_1("sys/fs/cgroup/cpu,cpuacct", "150000");
  root_.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "1048576\n");
  root_.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "524288\n");
  EXPECT_EQ(cpus(), 1.5);
  EXPECT_EQ(cgroup_free_bytes(root_.path()), 524288u);
}

TEST_F(ControlGroups, TightestOfNestedSlicesCounts) {
  in_group("0::/user.slice/user-0.slice/session-1.scope\n");
  mounted("31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  const std::string top = "sys/fs/cgroup/user.slice";
  root_.write(top + "/cpu.max", "300000 100000\n");
  root_.write(top + "/user-0.slice/cpu.max", "25000 50000\n");
  root_.write(top + "/user-0.slice/session-1.scope/cpu.max", "200000 100000\n");
  root_.write("sys/fs/cgroup/other.slice/cpu.max", "1000 100000\n");
  EXPECT_EQ(cpus(), 0.5);
}

TEST_F(ControlGroups, BothVersionsAreReadWhereBothAreMounted) {
  in_group("3:cpuset:/\n1:cpu:/batch\n0::/\n");
  mounted(
      "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
      "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  quota_of_version_1("sys/fs/cgroup/cpu/batch", "400000");
  EXPECT_EQ(cpus(), 4);
  root_.write("sys/fs/cgroup/unified/cpu.max", "200000 100000\n");
  EXPECT_EQ(cpus(), 2);
}

TEST_F(ControlGroups, AreFoundWhereverTheyAreMounted) {
  in_group("0::/job\n");
  mounted("31 23 0:28 / /mnt/all\\040groups rw shared:4 - cgroup2 none rw\n");
  root_.write("mnt/all groups/job/cpu.max", "70000 100000\n");
  EXPECT_EQ(cpus(), 0.7);
}

TEST_F(ControlGroups, OutsideTheNameSpaceAreNotGuessed) {
  in_group("0::/../other\n");
  mounted("31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  root_.write("sys/fs/cgroup/other/cpu.max", "10000 100000\n");
  EXPECT_EQ(cpus(), 0);
}

TEST_F(ControlGroups, JunkSetsNoQuota) {
  for (const char* text : {"", "\n", "max", "0 100000", "100000 0", "-1 100000", "x y", "100000"}) {
    in_group("0::/\n");
    mounted("\n31\n - cgroup2\n31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    root_.write("sys/fs/cgroup/cpu.max", text);
    EXPECT_EQ(cpus(), 0) << text;
  }
  const TemporaryFolder nothing;
  EXPECT_FALSE(least_cpu_quota(nothing.path()));
}

TEST(ThreadsWithin, AreTheQuotaRoundedUpAndAtLeastOne) {
  EXPECT_EQ(threads_within(8, std::nullopt), 8);
  EXPECT_EQ(threads_within(8, CpuQuota{2.5, {}}), 3);
  EXPECT_EQ(threads_within(8, CpuQuota{2, {}}), 2);
  EXPECT_EQ(threads_within(8, CpuQuota{0.01, {}}), 1);
  EXPECT_EQ(threads_within(8, CpuQuota{64, {}}), 8);
  EXPECT_EQ(threads_within(0, std::nullopt), 1);
}

TEST(RealControlGroup, QuotaIsSeenByTheProcessInIt) {
  const OwnControlGroup group;
  if (!group.usable()) GTEST_SKIP() << "no control group with a CPU quota can be made";
  const pid_t child = fork();
  if (child == 0) {
    if (!group.enter()) _exit(77);
    const auto quota = least_cpu_quota();
    _exit(quota && quota->cpus <= 0.5 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no process can be moved into a control group";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace gpuseq
