#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gpuseq {

/// One level of data cache as the operating system describes it.
struct Cache {
  int level = 0;
  std::size_t bytes = 0;  // of one instance
  int line_bytes = 0;
  int ways = 0;       // lines of a set; as many as there are where it has one set, 0: not described
  int shared_by = 0;  // cores that share one instance
  int instances = 0;
};

/// A physical core that this process may use; `cpus` are its logical processors (operating system numbers).
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
  /// Why hwloc does not know this machine: `cores` are then the processors that the process may use, one
  /// each, there are no caches, and packages and NUMA nodes count as one.
  std::string unknown_because = {};

  /// Bytes of the largest cache; 0 when no cache is described.
  std::size_t last_level_bytes() const;
  /// Bytes of a core's first-level data cache; 32 KiB when none is described.
  std::size_t level1_bytes() const;
  /// Logical processors in the order in which threads should take them: one of each core first.
  std::vector<int> cpus_by_core() const;
};

/// The topology of this machine by hwloc, restricted to the processors that the calling thread may run on;
/// where it says nothing, what the kernel says of them.
Topology read_topology();

}  // namespace gpuseq
