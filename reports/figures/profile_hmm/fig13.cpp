#include "reports/figures/profile_hmm/figures.hpp"
#include "reports/figures/profile_hmm/machines.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

Drawing draw_fig13(const Figure& figure, const ReportData& data, const Published& published) {
  return over_model_length(by_machine("ssv"), figure, data, published);
}

}  // namespace

Figure fig13() {
  return {"profile-hmm/fig13", "SSV on GPU and CPU", kHeading, kMachineCaption, draw_fig13};
}

}  // namespace gpuseq::reports::profile_hmm
