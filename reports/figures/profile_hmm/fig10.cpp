#include "reports/figures/profile_hmm/figures.hpp"
#include "reports/figures/profile_hmm/row_memory.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

Drawing draw_fig10(const Figure& figure, const ReportData& data, const Published& published) {
  return over_model_length(by_row_memory("ssv"), figure, data, published);
}

}  // namespace

Figure fig10() {
  return {"profile-hmm/fig10", "SSV by the memory of a row", kHeading, kRowCaption, draw_fig10};
}

}  // namespace gpuseq::reports::profile_hmm
