#include "runtime/system/cpu_device.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "runtime/perf/perf_counters.hpp"
#include "runtime/system/cpu_facts.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq {

namespace {

template <typename T>
void put(nlohmann::json& object, const std::string& key, const Maybe<T>& maybe) {
  if (maybe.value) {
    object[key] = *maybe.value;
  } else {
    object[key] = nullptr;
    object[key + "_reason"] = maybe.reason;
  }
}

nlohmann::json describe_caches(const Topology& topology) {
  nlohmann::json caches = nlohmann::json::array();
  for (const Cache& cache : topology.caches)
    caches.push_back({{"level", cache.level},
                      {"bytes", cache.bytes},
                      {"line_bytes", cache.line_bytes},
                      {"ways", cache.ways > 0 ? nlohmann::json(cache.ways) : nlohmann::json()},
                      {"shared_by_cores", cache.shared_by},
                      {"instances", cache.instances}});
  return caches;
}

/// Null with a reason if the topology is unknown.
void put_topology(nlohmann::json& facts, const Topology& topology) {
  if (topology.unknown_because.empty())
    facts.update({{"packages", topology.packages},
                  {"numa_nodes", topology.numa_nodes},
                  {"cores", topology.cores.size()},
                  {"caches", describe_caches(topology)}});
  else
    for (const char* name : {"packages", "numa_nodes", "cores", "caches"})
      put(facts, name, Maybe<int>{std::nullopt, topology.unknown_because});
}

std::size_t all_cache_bytes(const Topology& topology) {
  std::size_t bytes = 0;
  for (const Cache& cache : topology.caches) bytes += cache.bytes * static_cast<std::size_t>(cache.instances);
  return bytes;
}

}  // namespace

CpuDevice::CpuDevice() : topology_(read_topology()) {}

nlohmann::json CpuDevice::describe() const {
  nlohmann::json facts = virtualisation();
  put(facts, "name", cpu_model());
  put_topology(facts, topology_);
  facts["threads"] = topology_.cpus_by_core().size();
  put(facts, "cpu_quota", cpu_quota());
  facts["instruction_sets"] = instruction_sets();
  facts["memory_bytes"] = meminfo_bytes("MemTotal").value_or(0);
  facts["page_bytes"] = sysconf(_SC_PAGESIZE);
  put(facts, "transparent_huge_pages", transparent_huge_pages());
  const auto governor = read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  put(facts, "governor",
      Maybe<std::string>{governor, "the kernel shows no cpufreq (usual in virtual machines)"});
  put(facts, "clock_mhz", cpufreq_mhz("scaling_cur_freq"));
  put(facts, "max_clock_mhz", cpufreq_mhz("cpuinfo_max_freq"));
  put(facts, "operating_system", operating_system());
  utsname kernel{};
  if (uname(&kernel) == 0) {
    facts["kernel"] = std::string(kernel.sysname) + " " + kernel.release;
    facts["architecture"] = kernel.machine;
  }
  return facts;
}

std::size_t CpuDevice::free_bytes() const {
  return std::min<std::size_t>(free_host_bytes(), most_bytes_);
}

double CpuDevice::time_s(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return seconds_since(begin);
}

void CpuDevice::keep_busy(double seconds) {
  const auto start = std::chrono::steady_clock::now();
  while (seconds_since(start) < seconds) {
  }
}

void CpuDevice::flush_caches() {
  constexpr std::size_t kLeastBytes = std::size_t{64} << 20;
  constexpr std::size_t kStepBytes = 64;
  if (!flush_threads_) {
    flush_buffer_ = HugeBuffer(std::max(2 * all_cache_bytes(topology_), kLeastBytes));
    flush_threads_ = std::make_unique<ThreadPool>();
  }
  // Every core writes its own share, so that its private caches are flushed as well.
  const std::size_t share = flush_buffer_.size() / static_cast<std::size_t>(flush_threads_->size());
  flush_threads_->run([&](int thread) {
    volatile std::byte* bytes = flush_buffer_.data() + static_cast<std::size_t>(thread) * share;
    for (std::size_t i = 0; i < share; i += kStepBytes) bytes[i] = bytes[i] ^ std::byte{1};
  });
}

Maybe<double> CpuDevice::clock_mhz() {
  return cpufreq_mhz("scaling_cur_freq");
}

Maybe<double> CpuDevice::max_clock_mhz() {
  return cpufreq_mhz("cpuinfo_max_freq");
}

Maybe<double> CpuDevice::energy_j() {
  return energy_.joules();
}

Maybe<double> CpuDevice::power_w() {
  return {std::nullopt, "the processor counts energy; power is energy over time"};
}

Maybe<std::map<std::string, double>> CpuDevice::count(const std::vector<std::string>& metrics,
                                                      const std::function<void()>& work) {
  return count_cpu_events(metrics, work);
}

std::vector<std::string> CpuDevice::default_metrics() const {
  return cpu_counter_names();
}

}  // namespace gpuseq
