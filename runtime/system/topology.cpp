#include "runtime/system/topology.hpp"

#include <hwloc.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "runtime/contract/errors.hpp"
#include "runtime/system/hwloc_topology.hpp"
#include "runtime/system/numa.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq {

namespace {

/// hwloc reports -1 for a fully associative cache, and 0 if unknown.
int ways_of(const hwloc_obj& cache) {
  const auto& attributes = cache.attr->cache;
  if (attributes.associativity >= 0) return attributes.associativity;
  return attributes.linesize > 0 ? static_cast<int>(attributes.size / attributes.linesize) : 0;
}

std::vector<Cache> read_caches(hwloc_topology_t topology) {
  std::vector<Cache> caches;
  for (const hwloc_obj_type_t type :
       {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE}) {
    const int instances = hwloc_get_nbobjs_by_type(topology, type);
    if (instances <= 0) continue;
    const hwloc_obj_t first = hwloc_get_obj_by_type(topology, type, 0);
    const int shared_by = hwloc_get_nbobjs_inside_cpuset_by_type(topology, first->cpuset, HWLOC_OBJ_CORE);
    caches.push_back({.level = static_cast<int>(first->attr->cache.depth),
                      .bytes = static_cast<std::size_t>(first->attr->cache.size),
                      .line_bytes = static_cast<int>(first->attr->cache.linesize),
                      .ways = ways_of(*first),
                      .shared_by = std::max(shared_by, 1),
                      .instances = instances});
  }
  return caches;
}

bool may_run_on(int cpu) {
  // More CPUs than any machine has; the kernel rejects a set that is too small.
  constexpr int kMaxCpus = 16384;
  struct Free {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
  };
  const std::unique_ptr<cpu_set_t, Free> set(CPU_ALLOC(kMaxCpus));
  const std::size_t bytes = CPU_ALLOC_SIZE(kMaxCpus);
  CPU_ZERO_S(bytes, set.get());
  if (sched_getaffinity(0, bytes, set.get()) != 0) return true;
  return CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, set.get());
}

/// @param all  whether to include CPUs that the calling thread may not run on
std::vector<Core> read_cores(hwloc_topology_t topology, bool all) {
  std::vector<Core> cores;
  const int count = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
  for (int i = 0; i < count; ++i) {
    const hwloc_obj_t object = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, static_cast<unsigned>(i));
    Core core{.id = i, .numa_node = std::max(0, hwloc_bitmap_first(object->nodeset)), .cpus = {}};
    for (int cpu = hwloc_bitmap_first(object->cpuset); cpu >= 0; cpu = hwloc_bitmap_next(object->cpuset, cpu))
      if (all || may_run_on(cpu)) core.cpus.push_back(cpu);
    if (!core.cpus.empty()) cores.push_back(std::move(core));
  }
  return cores;
}

Topology topology_of(hwloc_topology_t topology, bool all) {
  return {.caches = read_caches(topology),
          .cores = read_cores(topology, all),
          .packages = std::max(1, hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE)),
          .numa_nodes = std::max(1, hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE))};
}

}  // namespace

std::size_t Topology::level1_bytes() const {
  constexpr std::size_t kUsual = 32 << 10;
  const auto first = std::ranges::find_if(caches, [](const Cache& c) { return c.level == 1 && c.bytes > 0; });
  return first == caches.end() ? kUsual : first->bytes;
}

std::size_t Topology::last_level_bytes() const {
  std::size_t bytes = 0;
  for (const Cache& cache : caches) bytes = std::max(bytes, cache.bytes);
  return bytes;
}

std::vector<int> Topology::cpus_by_core() const {
  std::vector<int> cpus;
  std::size_t most = 0;
  for (const Core& core : cores) most = std::max(most, core.cpus.size());
  for (std::size_t sibling = 0; sibling < most; ++sibling)
    for (const Core& core : cores)
      if (sibling < core.cpus.size()) cpus.push_back(core.cpus[sibling]);
  return cpus;
}

TopologyHandle open_topology(const std::string& synthetic) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw ResourceError("hwloc cannot be initialised");
  TopologyHandle handle(raw);
  if (!synthetic.empty() && hwloc_topology_set_synthetic(raw, synthetic.c_str()) != 0)
    throw ResourceError("hwloc cannot read the topology \"" + synthetic + "\"");
  if (hwloc_topology_load(raw) != 0) throw ResourceError("hwloc cannot read this machine's topology");
  return handle;
}

Topology synthetic_topology(const std::string& description) {
  return topology_of(open_topology(description).get(), true);
}

hwloc_topology* machine_topology() {
  static const TopologyHandle machine = open_topology();
  return machine.get();
}

Topology read_topology() {
  Topology topology;
  topology.packages = topology.numa_nodes = 1;
  const auto take_processors = [&](int count) {
    for (int cpu = 0, id = 0; cpu < count; ++cpu)
      if (may_run_on(cpu)) topology.cores.push_back({.id = id++, .numa_node = 0, .cpus = {cpu}});
  };
  try {
    hwloc_topology_t raw = machine_topology();
    topology = topology_of(raw, false);
    // Some containers and emulators describe CPUs without cores.
    if (topology.cores.empty()) take_processors(hwloc_get_nbobjs_by_type(raw, HWLOC_OBJ_PU));
    if (!topology.cores.empty()) return topology;
    topology.unknown_because = "hwloc describes no processor that this process may use";
  } catch (const ResourceError& error) {
    topology.unknown_because = error.what();
  }
  take_processors(static_cast<int>(sysconf(_SC_NPROCESSORS_CONF)));
  return topology;
}

// A pinned thread sees only its own CPU.
const std::vector<int>& usable_cpus() {
  static const std::vector<int> cpus = read_topology().cpus_by_core();
  return cpus;
}

}  // namespace gpuseq
