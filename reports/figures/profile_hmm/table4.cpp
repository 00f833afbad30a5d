#include "reports/figures/profile_hmm/compilation.hpp"
#include "reports/figures/profile_hmm/figures.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

Drawing draw_table4(const Figure& figure, const ReportData& data, const Published& published) {
  return over_model_length(
      by_compilation({"viterbi"}, {gcups(), registers(), l1_hit_rate(), read_only_hit_rate(), l2_hit_rate()}),
      figure, data, published);
}

}  // namespace

Figure table4() {
  return {"profile-hmm/table4", "Viterbi compiled at run time and ahead of time", kHeading,
          "Whether written-out loops still pay for a kernel with three cells a state, or spill: the paper's "
          "did, whose L1 hit rate fell with it, and it left Viterbi's loops as they were.",
          draw_table4};
}

}  // namespace gpuseq::reports::profile_hmm
