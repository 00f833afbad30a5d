#pragma once

#include <vector>

#include "reports/figure.hpp"

namespace gpuseq::reports {

/// Figures of the all-pairs distance family, in the order of the page.
std::vector<Figure> pairwise_distance_figures();

/// One file each. Figure numbers are those of the paper (Payne, Sinnott-Armstrong and Moore 2010).
namespace pairwise_distance {
Figure fig4();
Figure rates();
Figure sizes();

inline constexpr const char* kHeading = "All-pairs distance";
}  // namespace pairwise_distance

}  // namespace gpuseq::reports
