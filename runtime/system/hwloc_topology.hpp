#pragma once

#include <hwloc.h>

#include <memory>
#include <string>

namespace gpuseq {

struct TopologyCloser {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using TopologyHandle = std::unique_ptr<hwloc_topology, TopologyCloser>;

/// This machine's topology, or that of a machine that hwloc makes up by a description that is not empty.
/// @throws ResourceError if hwloc cannot read it
TopologyHandle open_topology(const std::string& synthetic = {});

/// This machine's, read when it is first asked for: that takes milliseconds, and more on a large machine.
/// @throws ResourceError if hwloc cannot read it
hwloc_topology* machine_topology();

}  // namespace gpuseq
