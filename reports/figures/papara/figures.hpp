#pragma once

#include <vector>

#include "reports/figure.hpp"

namespace gpuseq::reports {

/// Figures of the PaPaRa family, in the order of the page.
std::vector<Figure> papara_figures();

/// One file each. Table numbers are those of the paper (Alachiotis, Berger and Stamatakis 2012), which has no
/// ladder.
namespace papara {
Figure table1();
Figure table2();
Figure table3();
Figure arithmetic();
Figure ladder();

inline constexpr const char* kHeading = "PaPaRa";
}  // namespace papara

}  // namespace gpuseq::reports
