#include "reports/figures/suite/figures.hpp"

namespace gpuseq::reports {

std::vector<Figure> suite_figures() {
  return {suite::devices(), suite::sizes(),  suite::same_states(), suite::roofline(),
          suite::why(),     suite::energy(), suite::surface()};
}

}  // namespace gpuseq::reports
