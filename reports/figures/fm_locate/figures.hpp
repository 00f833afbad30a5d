#pragma once

#include <vector>

#include "reports/figure.hpp"

namespace gpuseq::reports {

/// Figures of the family that locates queries, in the order of the page.
std::vector<Figure> fm_locate_figures();

/// One file each.
namespace fm_locate {
Figure rates();

inline constexpr const char* kHeading = "Positions of queries";
}  // namespace fm_locate

}  // namespace gpuseq::reports
