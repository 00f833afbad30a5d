#include <utility>

#include "reports/bandwidth.hpp"
#include "reports/figures/probes/curves.hpp"
#include "reports/figures/probes/figures.hpp"

namespace gpuseq::reports::probes {
namespace {

Drawing draw_neighbour_access(const Figure& figure, const ReportData& data, const Published&) {
  CurveValue value;
  value.quantity.title = "random-access bandwidth";
  value.quantity.unit = Unit::bytes_per_s;
  value.of = bandwidth_of;
  value.notes.emplace_back("Blocks of memory that another GPU has, read by kernels.");
  return curves(figure, data, "peer_access", std::move(value));
}

}  // namespace

Figure peer_access() {
  return {"probes/peer-access", "Random reads of another GPU's memory over footprint", kHeading,
          "What a link between GPUs gives to an index that lies on the neighbour, and whether it has a knee.",
          draw_neighbour_access};
}

}  // namespace gpuseq::reports::probes
