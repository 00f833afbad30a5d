#include "reports/figures/fm_index/figures.hpp"

namespace gpuseq::reports {

std::vector<Figure> fm_index_figures() {
  using namespace fm_index;
  return {memory(), orders(), occurring(), ladder(), table1(), fig2(),  fig3(),   fig5(),
          fig6(),   fig7(),   fig8(),      fig9(),   fig10(),  fig11(), table2(), ceiling()};
}

}  // namespace gpuseq::reports
