#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gpuseq {

/// One level of data cache as the operating system describes it.
struct Cache {
  int level = 0;
  std::size_t bytes = 0;  // size of one instance
  int line_bytes = 0;
  int ways = 0;       // lines per set; of a fully associative cache all lines; 0: unknown
  int shared_by = 0;  // cores that share one instance
  int instances = 0;
};

/// A physical core that this process may use; `cpus` are its logical CPUs (operating system numbers).
struct Core {
  int id = 0;
  int numa_node = 0;
  std::vector<int> cpus;
};

struct Topology {
  std::vector<Cache> caches;  // data and unified caches, level 1 first
  std::vector<Core> cores;
  int packages = 0;
  int numa_nodes = 0;
  /// Why hwloc does not know this machine: then `cores` has one core per usable CPU, there are no caches, and
  /// one package and one NUMA node.
  std::string unknown_because = {};

  /// Bytes of the largest cache; 0 if none is described.
  std::size_t last_level_bytes() const;
  /// Bytes of a core's L1 data cache; 32 KiB if none is described.
  std::size_t level1_bytes() const;
  /// Logical CPUs in the order in which threads should take them: one of each core first.
  std::vector<int> cpus_by_core() const;
};

/// This machine's topology by hwloc, restricted to the CPUs that the calling thread may run on; without
/// hwloc's data, from the kernel.
Topology read_topology();

}  // namespace gpuseq
