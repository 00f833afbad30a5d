#pragma once

#include <sched.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/system/topology.hpp"

// The NUMA nodes of memory and CPUs, and binding of both.

namespace gpuseq {

/// hwloc's synthetic machine: "numa:2 core:4 pu:2". The process may use all of it.
/// @throws ResourceError if hwloc cannot read the description
Topology synthetic_topology(const std::string& description);

/// Numbers of the nodes whose cores this process may use, ascending.
std::vector<int> numa_nodes(const Topology& topology);

/// Logical CPUs of a node, one of each core first.
/// @throws ResourceError if the machine has only one node, or no cores on this one
std::vector<int> cpus_of_node(const Topology& topology, int node);

/// Binds unwritten memory to a node. @throws ResourceError if that fails
void bind_memory(std::span<std::byte> memory, int node);

/// Binds the calling thread to one logical CPU during its lifetime.
class StayOn {
 public:
  /// @throws ResourceError if the thread may not run there
  explicit StayOn(int cpu);
  ~StayOn();
  StayOn(const StayOn&) = delete;
  StayOn& operator=(const StayOn&) = delete;

 private:
  struct Free {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
  };
  std::unique_ptr<cpu_set_t, Free> before_;
};

}  // namespace gpuseq
