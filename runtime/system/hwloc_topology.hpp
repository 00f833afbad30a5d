#pragma once

#include <hwloc.h>

#include <memory>
#include <string>

namespace gpuseq {

struct TopologyCloser {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using TopologyHandle = std::unique_ptr<hwloc_topology, TopologyCloser>;

/// This machine's topology or, for a description that is not empty, that of hwloc's synthetic machine.
/// @throws ResourceError if hwloc cannot read it
TopologyHandle open_topology(const std::string& synthetic = {});

/// This machine's topology, read on first use, which takes milliseconds or more on a large machine.
/// @throws ResourceError if hwloc cannot read it
hwloc_topology* machine_topology();

}  // namespace gpuseq
