#include "tests/example_family/figure/rates.hpp"

#include "reports/variant_rows.hpp"

namespace gpuseq::reports::base_counts {
namespace {

Rate bases_of(const Entry& entry) {
  return rate_of(entry);
}

Drawing draw(const Figure& figure, const ReportData& data, const Published& published) {
  VariantRows rows{.family = "base_counts", .value = bases_of};
  rows.quantity = {.title = "bases per second", .unit = Unit::bases_per_s, .log = true};
  return by_variant(rows, figure, data, published);
}

}  // namespace

Figure rates() {
  return {"base-counts/rates", "Bases counted by variant", "Base counts", "How fast each variant counts.",
          draw};
}

}  // namespace gpuseq::reports::base_counts
