#pragma once

#include <vector>

#include "reports/figure.hpp"

namespace gpuseq::reports {

/// Figures of the profile-HMM filters, in the order of the page.
std::vector<Figure> profile_hmm_figures();

/// One file each. Numbers of tables and figures are those of the paper (Jiang and Ganesan 2016), which has no
/// ladder.
namespace profile_hmm {
Figure table2();
Figure table3();
Figure table4();
Figure fig2();
Figure fig9();
Figure fig10();
Figure fig11();
Figure fig12();
Figure fig13();
Figure fig14();
Figure ladder();

inline constexpr const char* kHeading = "Profile HMM";
}  // namespace profile_hmm

}  // namespace gpuseq::reports
