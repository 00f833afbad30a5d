#include "reports/figures/pairwise_distance/figures.hpp"
#include "reports/figures/pairwise_distance/variants.hpp"

namespace gpuseq::reports::pairwise_distance {
namespace {

Rate comparison_rate(const Entry& entry) {
  return rate_of(entry);
}

Drawing draw_rates(const Figure& figure, const ReportData& data, const Published& published) {
  VariantRows rows = variant_rows();
  rows.quantity = {.title = "attribute comparisons per second", .unit = Unit::number_si, .log = true};
  rows.label_unit = "/s";
  rows.value = comparison_rate;
  rows.detail = ceiling_share;
  return by_variant(rows, figure, data, published);
}

}  // namespace

Figure rates() {
  return {
      "pairwise-distance/rates", "Attribute comparisons by variant", kHeading,
      "Instances squared times attributes over the time, however many of the pairs were computed: how far "
      "each variant gets at each size, and how far that is from what the hardware allows.",
      draw_rates};
}

}  // namespace gpuseq::reports::pairwise_distance
