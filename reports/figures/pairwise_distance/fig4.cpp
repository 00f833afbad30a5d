#include <fmt/format.h>

#include "reports/figures/pairwise_distance/figures.hpp"
#include "reports/figures/pairwise_distance/variants.hpp"

namespace gpuseq::reports::pairwise_distance {
namespace {

Rate seconds_of(const Entry& entry) {
  const auto& statistics = *entry.record.statistics;
  return {statistics.median_s, statistics.low_s.value_or(statistics.median_s),
          statistics.high_s.value_or(statistics.median_s)};
}

std::string comparisons_of(const Entry& entry) {
  return rate_text(entry.record.statistics->rate, entry.record.statistics->rate_unit);
}

Drawing draw_fig4(const Figure& figure, const ReportData& data, const Published& published) {
  VariantRows rows = variant_rows();
  rows.quantity = {.title = "time of all pairs", .unit = Unit::seconds, .log = true};
  rows.value = seconds_of;
  rows.detail = comparisons_of;
  return by_variant(rows, figure, data, published);
}

}  // namespace

Figure fig4() {
  return {
      "pairwise-distance/fig4", "Time of all pairs by variant", kHeading,
      "What each step of the paper's ladder is worth, and what is beyond it. The paper's factor of 1700 is "
      "over a loop that is not vectorised: the fastest variant of a CPU stands beside it.",
      draw_fig4};
}

}  // namespace gpuseq::reports::pairwise_distance
