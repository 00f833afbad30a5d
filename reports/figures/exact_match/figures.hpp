#pragma once

#include <vector>

#include "reports/figure.hpp"

namespace gpuseq::reports {

/// Figures of the exact-match family, in the order of the page.
std::vector<Figure> exact_match_figures();

/// One file each. The paper is Schatz, Trapnell, Delcher and Varshney 2007 (MUMmerGPU).
namespace exact_match {
Figure speedup();
Figure phases();
Figure rates();
Figure layouts();
Figure ladder();

inline constexpr const char* kHeading = "Exact matches";
}  // namespace exact_match

}  // namespace gpuseq::reports
