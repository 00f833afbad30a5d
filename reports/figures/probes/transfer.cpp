#include "reports/bandwidth.hpp"
#include "reports/figures/probes/curves.hpp"
#include "reports/figures/probes/figures.hpp"

namespace gpuseq::reports::probes {
namespace {

Drawing draw_transfer(const Figure& figure, const ReportData& data, const Published&) {
  return curves(figure, data, "transfer",
                {.quantity = {.title = "bandwidth", .unit = Unit::bytes_per_s},
                 .of = bandwidth_of,
                 .over = "transfer_bytes",
                 .over_title = "size of a copy",
                 .notes = {"Both: two copies at the same time, of which both are counted."}});
}

}  // namespace

Figure transfer() {
  return {
      "probes/transfer", "Copies between host and GPU over their size", kHeading,
      "How fast data come to a GPU and back: a small copy takes a time of its own, and memory that is not "
      "pinned is copied twice.",
      draw_transfer};
}

}  // namespace gpuseq::reports::probes
