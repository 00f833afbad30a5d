#include "reports/figures/fm_index/figures.hpp"

namespace gpuseq::reports {

std::vector<Figure> fm_index_figures() {
  const std::string family = "FM-index";
  return {{"fm-index/fig2", "Footprint of the index by layout", family,
           "Bits per base of each layout; in brackets the index of 3 Gbases.", fm_index::footprint},
          {"fm-index/fig3", "Random-access bandwidth by block size", family,
           "Over the footprint, beside the inflection points of the paper's GPU.", fm_index::random_access},
          {"fm-index/fig5", "Best rate of each variant and device", family,
           "The rate of the fastest point of each variant.", fm_index::best},
          {"fm-index/fig6", "Rate over active threads", family,
           "Where a scheme saturates, and whether more threads slow it down.", fm_index::threads},
          {"fm-index/fig7", "Rate over sampling distance by scheme", family,
           "How each scheme bears larger blocks.", fm_index::schemes},
          {"fm-index/fig8", "Rate over reference size, 1-step index", family,
           "How the footprint slows the search down.", fm_index::reference_size},
          {"fm-index/fig9", "Rate over reference size by layout", family,
           "Which layout to choose for which reference.", fm_index::layouts},
          {"fm-index/fig10", "Random-access bandwidth of the devices, 128 B blocks", family,
           "What the memory of each device allows.", fm_index::devices},
          {"fm-index/table2", "Warp instructions per query base", family,
           "What a base costs in instructions, by scheme.", fm_index::instructions},
          {"fm-index/ceiling", "Fraction of the random-access ceiling", family,
           "How far each variant is from what the memory allows.", fm_index::ceilings}};
}

}  // namespace gpuseq::reports
