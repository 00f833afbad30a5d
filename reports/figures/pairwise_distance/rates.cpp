#include <fmt/format.h>

#include "reports/figures/pairwise_distance/figures.hpp"
#include "reports/figures/pairwise_distance/variants.hpp"

namespace gpuseq::reports::pairwise_distance {
namespace {

Rate comparisons_of(const Entry& entry) {
  return rate_of(entry);
}

std::string ceiling_of(const Entry& entry) {
  const auto& ceiling = entry.record.ceiling;
  return ceiling.value ? fmt::format("{:.0f} % of its ceiling", 100 * ceiling.value->fraction) : "";
}

Drawing draw(const Figure& figure, const ReportData& data, const Published& published) {
  const Shown shown{
      .quantity = {.title = "attribute comparisons per second", .unit = Unit::number_si, .log = true},
      .label_unit = "/s",
      .value = comparisons_of,
      .detail = ceiling_of};
  return by_variant(shown, figure, data, published);
}

}  // namespace

Figure rates() {
  return {
      "pairwise-distance/rates", "Attribute comparisons by variant", kHeading,
      "Instances squared times attributes over the time, however many of the pairs were computed: how far "
      "each variant gets at each size, and how far that is from what the hardware allows.",
      draw};
}

}  // namespace gpuseq::reports::pairwise_distance
