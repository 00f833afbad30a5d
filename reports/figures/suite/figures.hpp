#pragma once

#include <vector>

#include "reports/figure.hpp"

namespace gpuseq::reports {

/// Figures of all families together, in the order of the page.
std::vector<Figure> suite_figures();

namespace suite {
Figure devices();
Figure same_states();
Figure roofline();
Figure energy();
Figure why();
Figure surface();
Figure sizes();

inline constexpr const char* kHeading = "Suite";
}  // namespace suite

}  // namespace gpuseq::reports
