#include "reports/figures/pairwise_distance/figures.hpp"

namespace gpuseq::reports {

std::vector<Figure> pairwise_distance_figures() {
  using namespace pairwise_distance;
  return {fig4(), rates(), sizes()};
}

}  // namespace gpuseq::reports
