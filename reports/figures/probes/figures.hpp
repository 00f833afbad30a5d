#pragma once

#include <vector>

#include "reports/figure.hpp"

namespace gpuseq::reports {

/// Figures of the probes, in the order of the page.
std::vector<Figure> probe_figures();

namespace probes {
Figure random_access();
Figure latency();
Figure loaded_latency();
Figure occupancy();
Figure sequential();
Figure transfer();
Figure peer_access();
Figure instruction_throughput();
Figure knees();

inline constexpr const char* kHeading = "Memory probes";
}  // namespace probes

}  // namespace gpuseq::reports
