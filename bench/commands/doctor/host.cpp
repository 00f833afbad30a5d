#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "bench/commands/doctor/doctor.hpp"
#include "bench/config/units.hpp"
#include "runtime/io/number_text.hpp"
#include "runtime/system/cpu_facts.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/package_energy.hpp"
#include "runtime/system/proc_files.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

Finding examine_energy(const Places& places) {
  const fs::path powercap = places.root / "sys/class/powercap";
  const Maybe<double> joules = PackageEnergy(powercap).joules();
  if (joules.value) return {.name = "CPU energy", .found = "counted by RAPL"};
  const bool is_there = joules.reason.find("cannot be read") != std::string::npos;
  return {.name = "CPU energy",
          .state = is_there ? Health::warning : Health::missing,
          .found = joules.reason,
          .remedy = is_there ? "sudo chmod -R a+r /sys/class/powercap/intel-rapl:*"
                             : "sudo modprobe intel_rapl_msr; virtual machines have no counter"};
}

Finding examine_huge_pages(const Places& places) {
  const Maybe<std::string> setting = transparent_huge_pages(places.root);
  const auto reserved = proc_number(proc_field(places.root / "proc/meminfo", "HugePages_Total", ':'));
  Finding finding{
      .name = "huge pages",
      .found = fmt::format("transparent: {}; reserved: {}", setting.value.value_or(setting.reason),
                           reserved ? std::to_string(*reserved) : "not shown")};
  if (setting.value && *setting.value != "never") return finding;
  finding.state = Health::warning;
  finding.remedy = "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled";
  return finding;
}

Finding examine_governor(const Places& places) {
  std::set<std::string> governors;
  std::error_code error;
  for (fs::directory_iterator cpu(places.root / "sys/devices/system/cpu", error), end; !error && cpu != end;
       cpu.increment(error))
    if (const auto governor = read_line(cpu->path() / "cpufreq/scaling_governor"))
      governors.insert(*governor);
  Finding finding{.name = "frequency governor", .found = fmt::format("{}", fmt::join(governors, ", "))};
  if (governors == std::set<std::string>{"performance"}) return finding;
  finding.state = Health::warning;
  if (governors.empty()) finding.found = "not shown by the kernel (usual in virtual machines)";
  finding.remedy = governors.empty() ? "set the governor \"performance\" on the host"
                                     : "sudo cpupower frequency-set -g performance";
  return finding;
}

Finding examine_topology(const Places& places) {
  const Topology topology = places.topology();
  if (!topology.unknown_because.empty())
    return {.name = "topology",
            .state = Health::warning,
            .found = topology.unknown_because,
            .remedy = "mount /sys, or let hwloc read a file: HWLOC_XMLFILE"};
  std::vector<std::string> caches;
  for (const Cache& cache : topology.caches)
    caches.push_back(fmt::format("L{} {}", cache.level, bytes_text(static_cast<double>(cache.bytes))));
  Finding finding{.name = "topology",
                  .found = fmt::format(
                      "packages: {}, NUMA nodes: {}, cores: {}, threads: {}, caches: {}", topology.packages,
                      topology.numa_nodes, topology.cores.size(), topology.cpus_by_core().size(),
                      caches.empty() ? "not described" : fmt::format("{}", fmt::join(caches, ", ")))};
  if (!caches.empty()) return finding;
  finding.state = Health::warning;
  finding.remedy = "mount /sys; without caches, sizes of caches come from the probes alone";
  return finding;
}

Finding examine_quota(const Places& places) {
  const Maybe<double> quota = cpu_quota(places.root);
  if (!quota.value) return {.name = "CPU quota", .found = "no limit is set"};
  return {.name = "CPU quota",
          .state = Health::warning,
          .found = fmt::format("{:g} processors' worth of time: more threads are held up", *quota.value),
          .remedy =
              "lift the limit (docker run without --cpus; cgroup cpu.max), or set processors aside with "
              "--cpuset-cpus"};
}

Finding examine_simd(const Places& places) {
  static constexpr std::array kTargets{std::pair{"sse4_2", "sse4"}, std::pair{"avx2", "avx2"},
                                       std::pair{"avx512bw", "avx512"}, std::pair{"asimd", "neon"},
                                       std::pair{"sve", "sve"}};
  const std::vector<std::string> sets = instruction_sets(places.root);
  std::vector<std::string> targets;
  for (const auto& [set, target] : kTargets)
    if (std::ranges::find(sets, set) != sets.end()) targets.emplace_back(target);
  if (!targets.empty()) return {.name = "SIMD targets", .found = fmt::format("{}", fmt::join(targets, ", "))};
  return {.name = "SIMD targets",
          .state = Health::warning,
          .found = "/proc/cpuinfo names no instruction set that kernels choose by",
          .remedy = "mount /proc; a virtual machine must pass the processor's flags through"};
}

Finding examine_memory(const Places& places) {
  constexpr std::uint64_t kPlenty = std::uint64_t{2} << 30, kLeast = std::uint64_t{512} << 20;
  const auto available = meminfo_bytes("MemAvailable", places.root);
  const auto granted = cgroup_free_bytes(places.root);
  if (!available && !granted)
    return {.name = "free memory",
            .state = Health::missing,
            .found = "/proc/meminfo does not show it",
            .remedy = "mount /proc",
            .needed = true};
  const std::uint64_t free = std::min(available.value_or(granted.value_or(0)), granted.value_or(*available));
  Finding finding{.name = "free memory",
                  .found = with_decimal_prefix(static_cast<double>(free), "B") +
                           (granted && free == *granted ? ", by the control group's limit" : ""),
                  .needed = true};
  if (free >= kPlenty) return finding;
  finding.state = free < kLeast ? Health::missing : Health::warning;
  finding.remedy =
      "end other programs, or raise the limit (docker --memory); --device-memory makes problems smaller";
  return finding;
}

}  // namespace

std::vector<Finding> examine_host(const Places& places) {
  return {examine_energy(places),   examine_huge_pages(places), examine_governor(places),
          examine_topology(places), examine_quota(places),      examine_simd(places),
          examine_memory(places)};
}

}  // namespace gpuseq::bench
