#include "reports/figures/profile_hmm/compilation.hpp"
#include "reports/figures/profile_hmm/figures.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

Drawing draw_table3(const Figure& figure, const ReportData& data, const Published& published) {
  return over_model_length(
      by_compilation({"ssv", "msv"}, {gcups(), registers(), read_only_hit_rate(), l2_hit_rate()}), figure,
      data, published);
}

}  // namespace

Figure table3() {
  return {
      "profile-hmm/table3", "SSV and MSV compiled at run time and ahead of time", kHeading,
      "What it is worth that a kernel knows its model's length, so that its loops are written out and its "
      "row stays in registers. The paper found up to 3.2 x for SSV and 2 x for MSV.",
      draw_table3};
}

}  // namespace gpuseq::reports::profile_hmm
