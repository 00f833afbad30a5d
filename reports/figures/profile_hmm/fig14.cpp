#include "reports/figures/profile_hmm/figures.hpp"
#include "reports/figures/profile_hmm/machines.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

Drawing draw_fig14(const Figure& figure, const ReportData& data, const Published& published) {
  return over_model_length(by_machine("viterbi"), figure, data, published);
}

}  // namespace

Figure fig14() {
  return {"profile-hmm/fig14", "Viterbi on GPU and CPU", kHeading, kMachineCaption, draw_fig14};
}

}  // namespace gpuseq::reports::profile_hmm
