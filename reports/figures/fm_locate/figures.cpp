#include "reports/figures/fm_locate/figures.hpp"

namespace gpuseq::reports {

std::vector<Figure> fm_locate_figures() {
  return {fm_locate::rates()};
}

}  // namespace gpuseq::reports
