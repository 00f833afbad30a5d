#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "runtime/contract/device.hpp"

namespace gpuseq {

/// The system calls of the kernel's performance events, so that tests can replace them. Each returns -1 with
/// errno when it fails.
struct PerfCalls {
  std::function<int(perf_event_attr& attributes, pid_t thread)> open;
  std::function<long(int descriptor, void* to, std::size_t bytes)> read;
  std::function<void(int descriptor)> close;
  std::function<std::vector<pid_t>()> threads;  // of this process
  /// "GenuineIntel", "AuthenticAMD"; empty: unknown. Page walks have an event for each vendor.
  std::string vendor;
};
PerfCalls system_perf_calls();

/// Names of the counters of a CPU: instructions, cycles, cache_misses, dtlb_load_misses, page_walks, and the
/// kernel's own page_faults and task_clock_ns.
std::vector<std::string> cpu_counter_names();

/// Counts events in user mode while `work` runs, on all threads that this process has and on those that they
/// start. Events that share a hardware counter in turn are scaled to the whole time.
/// @returns those that this machine counts; the reason if it counts none of the hardware's, which most
/// virtual machines do not
Maybe<std::map<std::string, double>> count_cpu_events(const std::vector<std::string>& names,
                                                      const std::function<void()>& work,
                                                      const PerfCalls& calls = system_perf_calls());

}  // namespace gpuseq
