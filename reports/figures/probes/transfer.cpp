#include <utility>

#include "reports/bandwidth.hpp"
#include "reports/figures/probes/curves.hpp"
#include "reports/figures/probes/figures.hpp"

namespace gpuseq::reports::probes {
namespace {

Drawing draw_transfer(const Figure& figure, const ReportData& data, const Published&) {
  CurveValue value;
  value.quantity.title = "bandwidth";
  value.quantity.unit = Unit::bytes_per_s;
  value.of = bandwidth_of;
  value.over = "transfer_bytes";
  value.over_title = "size of a copy";
  value.notes.emplace_back("Both: two copies at the same time, of which both are counted.");
  return curves(figure, data, "transfer", std::move(value));
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
