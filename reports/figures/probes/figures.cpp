#include "reports/figures/probes/figures.hpp"

namespace gpuseq::reports {

std::vector<Figure> probe_figures() {
  return {probes::random_access(), probes::latency(),    probes::loaded_latency(),
          probes::occupancy(),     probes::sequential(), probes::transfer(),
          probes::peer_access(),   probes::knees(),      probes::instruction_throughput()};
}

}  // namespace gpuseq::reports
