#include "reports/figures/profile_hmm/figures.hpp"
#include "reports/figures/profile_hmm/row_memory.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

Drawing draw_fig9(const Figure& figure, const ReportData& data, const Published& published) {
  return over_model_length(by_row_memory("msv"), figure, data, published);
}

}  // namespace

Figure fig9() {
  return {"profile-hmm/fig9", "MSV by the memory of a row", kHeading, kRowCaption, draw_fig9};
}

}  // namespace gpuseq::reports::profile_hmm
