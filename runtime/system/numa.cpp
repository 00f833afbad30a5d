#include "runtime/system/numa.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hwloc.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "runtime/contract/errors.hpp"
#include "runtime/system/hwloc_topology.hpp"

namespace gpuseq {
namespace {

/// More CPUs than any machine has; the kernel rejects a set that is too small.
constexpr int kMaxCpus = 16384;

}  // namespace

std::vector<int> numa_nodes(const Topology& topology) {
  std::set<int> nodes;
  for (const Core& core : topology.cores) nodes.insert(core.numa_node);
  return {nodes.begin(), nodes.end()};
}

std::vector<int> cpus_of_node(const Topology& topology, int node) {
  const std::vector<int> nodes = numa_nodes(topology);
  if (nodes.size() < 2) throw ResourceError("this machine has one NUMA node that this process may use");
  if (!std::ranges::binary_search(nodes, node))
    throw ResourceError(
        fmt::format("NUMA node {} has no processor that this process may use; nodes that have: {}", node,
                    fmt::join(nodes, ", ")));
  Topology part;
  std::ranges::copy_if(topology.cores, std::back_inserter(part.cores),
                       [node](const Core& core) { return core.numa_node == node; });
  return part.cpus_by_core();
}

void bind_memory(std::span<std::byte> memory, int node) {
  struct Free {
    void operator()(hwloc_bitmap_s* set) const { hwloc_bitmap_free(set); }
  };
  const std::unique_ptr<hwloc_bitmap_s, Free> nodes(hwloc_bitmap_alloc());
  hwloc_bitmap_only(nodes.get(), static_cast<unsigned>(node));
  if (hwloc_set_area_membind(machine_topology(), memory.data(), memory.size(), nodes.get(),
                             HWLOC_MEMBIND_BIND, HWLOC_MEMBIND_BYNODESET | HWLOC_MEMBIND_STRICT) != 0)
    throw ResourceError(fmt::format("cannot have {} bytes of memory of NUMA node {}: {}", memory.size(), node,
                                    std::strerror(errno)));
}

StayOn::StayOn(int cpu) : before_(CPU_ALLOC(kMaxCpus)) {
  const std::size_t bytes = CPU_ALLOC_SIZE(kMaxCpus);
  const std::unique_ptr<cpu_set_t, Free> one(CPU_ALLOC(kMaxCpus));
  CPU_ZERO_S(bytes, one.get());
  CPU_SET_S(static_cast<std::size_t>(cpu), bytes, one.get());
  if (sched_getaffinity(0, bytes, before_.get()) != 0 || sched_setaffinity(0, bytes, one.get()) != 0)
    throw ResourceError(fmt::format("cannot run on logical processor {}: {}", cpu, std::strerror(errno)));
}

StayOn::~StayOn() {
  sched_setaffinity(0, CPU_ALLOC_SIZE(kMaxCpus), before_.get());
}

}  // namespace gpuseq
