#include "reports/bandwidth.hpp"
#include "reports/figures/probes/curves.hpp"
#include "reports/figures/probes/figures.hpp"

namespace gpuseq::reports::probes {
namespace {

Drawing draw_sequential(const Figure& figure, const ReportData& data, const Published&) {
  return curves(figure, data, "sequential",
                {.quantity = {.title = "bandwidth", .unit = Unit::bytes_per_s}, .of = bandwidth_of});
}

}  // namespace

Figure sequential() {
  return {"sequential", "Sequential bandwidth over footprint", kHeading,
          "Bandwidth of reading, writing and copying memory in order.", draw_sequential};
}

}  // namespace gpuseq::reports::probes
