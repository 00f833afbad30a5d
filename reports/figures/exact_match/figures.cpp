#include "reports/figures/exact_match/figures.hpp"

namespace gpuseq::reports {

std::vector<Figure> exact_match_figures() {
  using namespace exact_match;
  return {speedup(), phases(), rates(), layouts(), ladder()};
}

}  // namespace gpuseq::reports
