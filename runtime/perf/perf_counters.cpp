#include "runtime/perf/perf_counters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>

namespace gpuseq {
namespace {

struct Event {
  std::string_view name;
  std::uint32_t type;
  std::uint64_t config;
};

constexpr std::uint64_t kDtlbReadMisses =
    PERF_COUNT_HW_CACHE_DTLB | (PERF_COUNT_HW_CACHE_OP_READ << 8) | (PERF_COUNT_HW_CACHE_RESULT_MISS << 16);
constexpr std::array kEvents{Event{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
                             Event{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
                             Event{"cache_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
                             Event{"dtlb_load_misses", PERF_TYPE_HW_CACHE, kDtlbReadMisses},
                             Event{"page_walks", PERF_TYPE_RAW, 0},
                             Event{"page_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
                             Event{"task_clock_ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK}};

/// Completed walks for loads: DTLB_LOAD_MISSES.WALK_COMPLETED of Intel's cores since Skylake, and loads that
/// miss both TLBs of AMD's since Zen 2 (ls_l1_d_tlb_miss.all_l2_miss). 0: there is no known event.
std::uint64_t page_walk_event(std::string_view vendor) {
  if (vendor == "GenuineIntel") return 0x0e08;
  return vendor == "AuthenticAMD" ? 0xf045 : 0;
}

std::optional<Event> event_of(std::string_view name, std::string_view vendor) {
  const auto found = std::ranges::find(kEvents, name, &Event::name);
  if (found == kEvents.end()) return std::nullopt;
  Event event = *found;
  if (event.type != PERF_TYPE_RAW) return event;
  event.config = page_walk_event(vendor);
  return event.config == 0 ? std::nullopt : std::optional(event);
}

struct Reading {  // by PERF_FORMAT_TOTAL_TIME_ENABLED and _RUNNING
  std::uint64_t value = 0, enabled_ns = 0, running_ns = 0;
};

/// One event on every thread.
class Counter {
 public:
  Counter(const Event& event, const PerfCalls& calls) : calls_(calls) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = event.type;
    attributes.config = event.config;
    attributes.inherit = 1;
    attributes.exclude_kernel = event.type == PERF_TYPE_SOFTWARE ? 0 : 1;
    attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    for (const pid_t thread : calls.threads()) {
      int descriptor = calls.open(attributes, thread);
      if (descriptor < 0 && errno == EACCES) {  // of the kernel's own events: as far as this user may see
        attributes.exclude_kernel = 1;
        descriptor = calls.open(attributes, thread);
      }
      if (descriptor < 0 && errno == ESRCH) continue;  // the thread ended
      if (descriptor < 0) {
        error_ = errno;
        break;
      }
      descriptors_.push_back(descriptor);
      before_.push_back(now(descriptor));
    }
  }
  ~Counter() {
    for (const int descriptor : descriptors_) calls_.close(descriptor);
  }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  /// errno of the call that failed; 0: none did.
  int error() const { return error_; }
  /// Since it was made; nullopt: no hardware counter was free for it.
  std::optional<double> count() const {
    double all = 0;
    bool ran = false;
    for (std::size_t i = 0; i < descriptors_.size(); ++i) {
      const Reading end = now(descriptors_[i]);
      const auto running = static_cast<double>(end.running_ns - before_[i].running_ns);
      const auto enabled = static_cast<double>(end.enabled_ns - before_[i].enabled_ns);
      if (running <= 0) continue;
      ran = true;
      all += static_cast<double>(end.value - before_[i].value) * enabled / running;
    }
    return ran ? std::optional(all) : std::nullopt;
  }

 private:
  Reading now(int descriptor) const {
    Reading reading;
    if (calls_.read(descriptor, &reading, sizeof reading) != static_cast<long>(sizeof reading)) reading = {};
    return reading;
  }

  const PerfCalls& calls_;
  std::vector<int> descriptors_;
  std::vector<Reading> before_;
  int error_ = 0;
};

std::string in_words(int error) {
  if (error == EACCES || error == EPERM)
    return "this user may not count them (/proc/sys/kernel/perf_event_paranoid, or the container's rules)";
  if (error == ENOENT || error == EOPNOTSUPP || error == ENODEV)
    return "this machine shows no hardware counters, as most virtual machines do";
  return std::strerror(error);
}

std::vector<pid_t> own_threads() {
  std::vector<pid_t> threads;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
    threads.push_back(static_cast<pid_t>(std::stol(entry.path().filename().string())));
  return threads;
}

std::string processor_vendor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("vendor_id")) return line.substr(line.find(": ") + 2);
  return "";
}

}  // namespace

PerfCalls system_perf_calls() {
  return {.open =
              [](perf_event_attr& attributes, pid_t thread) {
                return static_cast<int>(
                    syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
              },
          .read = [](int descriptor, void* to, std::size_t bytes) { return ::read(descriptor, to, bytes); },
          .close = [](int descriptor) { ::close(descriptor); },
          .threads = own_threads,
          .vendor = processor_vendor()};
}

std::vector<std::string> cpu_counter_names() {
  std::vector<std::string> names;
  names.reserve(kEvents.size());
  for (const Event& event : kEvents) names.emplace_back(event.name);
  return names;
}

Maybe<std::map<std::string, double>> count_cpu_events(const std::vector<std::string>& names,
                                                      const std::function<void()>& work,
                                                      const PerfCalls& calls) {
  std::map<std::string, std::unique_ptr<Counter>> counters;
  int error = 0;
  bool hardware = false;
  for (const std::string& name : names) {
    const std::optional<Event> event = event_of(name, calls.vendor);
    if (!event) continue;  // of another kind of device or processor
    auto counter = std::make_unique<Counter>(*event, calls);
    if (counter->error() != 0 && error == 0) error = counter->error();
    if (counter->error() != 0) continue;
    hardware = hardware || event->type != PERF_TYPE_SOFTWARE;
    counters.emplace(name, std::move(counter));
  }
  const bool asked_software_only = std::ranges::all_of(names, [](const std::string& name) {
    const auto event = std::ranges::find(kEvents, name, &Event::name);
    return event == kEvents.end() || event->type == PERF_TYPE_SOFTWARE;
  });
  if (counters.empty() && error == 0)
    return {std::nullopt, fmt::format("none of these is a counter of this CPU: {}; allowed: {}",
                                      fmt::join(names, ", "), fmt::join(cpu_counter_names(), ", "))};
  if (counters.empty() || (!hardware && !asked_software_only)) return {std::nullopt, in_words(error)};
  work();
  std::map<std::string, double> counts;
  for (const auto& [name, counter] : counters)
    if (const auto count = counter->count()) counts[name] = *count;
  if (counts.empty()) return {std::nullopt, "no hardware counter was free"};
  return {std::move(counts), ""};
}

}  // namespace gpuseq
