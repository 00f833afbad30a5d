#include "reports/figures/papara/figures.hpp"

namespace gpuseq::reports {

std::vector<Figure> papara_figures() {
  using namespace papara;
  return {table1(), table2(), table3(), arithmetic(), ladder()};
}

}  // namespace gpuseq::reports
