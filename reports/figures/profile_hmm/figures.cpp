#include "reports/figures/profile_hmm/figures.hpp"

namespace gpuseq::reports {

std::vector<Figure> profile_hmm_figures() {
  using namespace profile_hmm;
  return {fig2(),  fig13(), fig12(), fig14(),  table3(), table4(),
          fig10(), fig9(),  fig11(), ladder(), table2()};
}

}  // namespace gpuseq::reports
