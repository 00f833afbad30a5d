#pragma once

#include <vector>

#include "reports/figure.hpp"

namespace gpuseq::reports {

/// Figures of the FM-index family, in the order of the page.
std::vector<Figure> fm_index_figures();

/// One file each. Figure and table numbers are those of the paper (Chacón et al. 2015); others are named for
/// what they show.
namespace fm_index {
Figure memory();
Figure orders();
Figure occurring();
Figure ladder();
Figure table1();
Figure fig2();
Figure fig3();
Figure fig5();
Figure fig6();
Figure fig7();
Figure fig8();
Figure fig9();
Figure fig10();
Figure fig11();
Figure table2();
Figure ceiling();

inline constexpr const char* kHeading = "FM-index";
}  // namespace fm_index

}  // namespace gpuseq::reports
