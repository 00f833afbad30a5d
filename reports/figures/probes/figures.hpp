#pragma once

#include <vector>

#include "reports/figure.hpp"

namespace gpuseq::reports {

/// Figures of the memory probes, in the order of the page.
std::vector<Figure> probe_figures();

namespace probes {
Figure random_access();
Figure latency();
Figure sequential();

inline constexpr const char* kHeading = "Memory probes";
}  // namespace probes

}  // namespace gpuseq::reports
