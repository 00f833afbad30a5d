// usable_cpus() of exported libraries: from the kernel's files, without hwloc.

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include "runtime/system/threads.hpp"

namespace gpuseq {
namespace {

/// The first logical CPU of a CPU's core; the CPU itself if the kernel does not report it.
int first_of_core(int cpu) {
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
  int first = cpu;
  return file >> first ? first : cpu;
}

std::vector<int> cpus_by_core() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return {0};
  std::vector<std::pair<bool, int>> found;  // whether it is not the first of its core, and its number
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) found.emplace_back(first_of_core(cpu) != cpu, cpu);
  std::ranges::sort(found);
  std::vector<int> cpus;
  cpus.reserve(found.size());
  for (const auto& [second, cpu] : found) cpus.push_back(cpu);
  return cpus;
}

}  // namespace

const std::vector<int>& usable_cpus() {
  static const std::vector<int> cpus = cpus_by_core();
  return cpus;
}

}  // namespace gpuseq
