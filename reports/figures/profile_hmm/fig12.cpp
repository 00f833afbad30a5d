#include "reports/figures/profile_hmm/figures.hpp"
#include "reports/figures/profile_hmm/machines.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

Drawing draw_fig12(const Figure& figure, const ReportData& data, const Published& published) {
  return over_model_length(by_machine("msv"), figure, data, published);
}

}  // namespace

Figure fig12() {
  return {"profile-hmm/fig12", "MSV on GPU and CPU", kHeading,
          std::string(kMachineCaption) +
              " J always: rows with the J state for every sequence, as others' programs have them, and not "
              "only where SSV finds that it can be used.",
          draw_fig12};
}

}  // namespace gpuseq::reports::profile_hmm
