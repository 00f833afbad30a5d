#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/system/cpu_facts.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/package_energy.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

TEST(CpuFacts, ReadWhatTheKernelListsOfTheProcessor) {
  const TemporaryFolder root;
  root.write(
      "proc/cpuinfo",
      "processor\t: 0\nmodel name\t: AMD EPYC\nflags\t\t: fpu sse4_2 avx2 hypervisor avx512_vpopcntdq\n");
  EXPECT_EQ(cpu_model(root.path()).value, "AMD EPYC");
  EXPECT_THAT(instruction_sets(root.path()), testing::ElementsAre("sse4_2", "avx2", "avx512_vpopcntdq"));
  EXPECT_EQ(virtualisation(root.path())["virtual_machine"], true);
}

TEST(CpuFacts, GiveAReasonForWhatTheKernelDoesNotShow) {
  const TemporaryFolder root;
  EXPECT_FALSE(cpu_model(root.path()).value);
  EXPECT_FALSE(cpu_model(root.path()).reason.empty());
  EXPECT_TRUE(virtualisation(root.path())["virtual_machine"].is_null());
  EXPECT_FALSE(cpufreq_mhz("scaling_cur_freq", root.path()).reason.empty());
  EXPECT_FALSE(transparent_huge_pages(root.path()).reason.empty());
  EXPECT_FALSE(operating_system(root.path()).reason.empty());
  EXPECT_FALSE(cpu_quota(root.path()).reason.empty());
  EXPECT_FALSE(cgroup_free_bytes(root.path()));
}

TEST(CpuFacts, ReadClockHugePagesAndSystem) {
  const TemporaryFolder root;
  root.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3700123\n");
  root.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  root.write("etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
  root.write("proc/meminfo", "MemTotal:       24684084 kB\nMemAvailable:   1024 kB\n");
  EXPECT_EQ(cpufreq_mhz("scaling_cur_freq", root.path()).value, 3700.123);
  EXPECT_EQ(transparent_huge_pages(root.path()).value, "madvise");
  EXPECT_EQ(operating_system(root.path()).value, "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(meminfo_bytes("MemAvailable", root.path()), kMiB);
}

TEST(CpuFacts, TakeTheTightestLimitOfTheControlGroupsAboveTheProcess) {
  const TemporaryFolder root;
  root.write("proc/self/cgroup", "0::/job/step\n");
  root.write("sys/fs/cgroup/job/memory.max", std::to_string(100 * kMiB));
  root.write("sys/fs/cgroup/job/memory.current", std::to_string(60 * kMiB));
  root.write("sys/fs/cgroup/job/memory.stat", "anon 5\ninactive_file " + std::to_string(20 * kMiB) + "\n");
  root.write("sys/fs/cgroup/job/step/memory.max", "max\n");
  root.write("sys/fs/cgroup/job/step/memory.current", "7\n");
  root.write("sys/fs/cgroup/job/cpu.max", "250000 100000\n");
  root.write("sys/fs/cgroup/job/step/cpu.max", "max 100000\n");
  EXPECT_EQ(cgroup_free_bytes(root.path()), 60 * kMiB);
  EXPECT_EQ(cpu_quota(root.path()).value, 2.5);
}

TEST(CpuFacts, ReadControlGroupsOfVersionOne) {
  const TemporaryFolder root;
  root.write("proc/self/cgroup", "4:memory:/inner\n2:cpu,cpuacct:/\n");
  root.write("sys/fs/cgroup/memory/inner/memory.limit_in_bytes", std::to_string(10 * kMiB));
  root.write("sys/fs/cgroup/memory/inner/memory.usage_in_bytes", std::to_string(30 * kMiB));
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  root.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "1\n");
  root.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  root.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cgroup_free_bytes(root.path()), 0u);
  EXPECT_FALSE(cpu_quota(root.path()).value);
}

TEST(PackageEnergy, SumsPackagesAcrossAWrapOfTheirCounters) {
  const TemporaryFolder root;
  for (const char* zone : {"intel-rapl:0", "intel-rapl:1", "intel-rapl:0:0"}) {
    root.write(std::string(zone) + "/max_energy_range_uj", "10000000\n");
    root.write(std::string(zone) + "/energy_uj", "9000000\n");
  }
  PackageEnergy energy(root.path());
  EXPECT_EQ(energy.joules().value, 0);
  root.write("intel-rapl:0/energy_uj", "9500000\n");
  root.write("intel-rapl:1/energy_uj", "1000000\n");
  root.write("intel-rapl:0:0/energy_uj", "9900000\n");
  EXPECT_DOUBLE_EQ(energy.joules().value.value(), 2.5);
  root.write("intel-rapl:0/energy_uj", "0\n");
  EXPECT_DOUBLE_EQ(energy.joules().value.value(), 3.0);
}

TEST(PackageEnergy, SaysWhyThereIsNone) {
  const TemporaryFolder root;
  expect_text(PackageEnergy(root.path() / "none").joules().reason);
  root.write("intel-rapl:0/name", "package-0\n");
  expect_text(PackageEnergy(root.path()).joules().reason);
}

}  // namespace
}  // namespace gpuseq
