#include <gtest/gtest.h>
#include <sched.h>

#include <set>

#include "runtime/system/threads.hpp"

namespace gpuseq {
namespace {

// Linked with kernels/common/library/usable_cpus.cpp, not with the program's own file.
TEST(UsableCpusOfExportedLibraries, AreThoseThatTheProcessMayUseEachOnce) {
  cpu_set_t set;
  CPU_ZERO(&set);
  ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  std::set<int> allowed;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) allowed.insert(cpu);
  const std::vector<int>& cpus = usable_cpus();
  EXPECT_EQ(std::set<int>(cpus.begin(), cpus.end()), allowed);
  EXPECT_EQ(cpus.size(), allowed.size());
}

}  // namespace
}  // namespace gpuseq
