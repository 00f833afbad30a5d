#include "reports/figures/profile_hmm/figures.hpp"
#include "reports/figures/profile_hmm/row_memory.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

Drawing draw_fig11(const Figure& figure, const ReportData& data, const Published& published) {
  return over_model_length(by_row_memory("viterbi"), figure, data, published);
}

}  // namespace

Figure fig11() {
  return {"profile-hmm/fig11", "Viterbi by the memory of a row", kHeading, kRowCaption, draw_fig11};
}

}  // namespace gpuseq::reports::profile_hmm
