#include "reports/figures/exact_match/figures.hpp"
#include "reports/figures/exact_match/points.hpp"
#include "reports/variant_rows.hpp"

namespace gpuseq::reports::exact_match {
namespace {

Rate bases_of(const Entry& entry) {
  return rate_of(entry);
}

/// Values are published of a reference, by its size, and of reads by their length and errors.
bool stated_of(const Fact& fact, const Entry& entry) {
  const nlohmann::json& at = fact.at;
  const auto length = query_length_of(entry), least = min_length_of(entry),
             errors = number(entry.record.state.problem, "errors_per_1000");
  return length && least && errors && number(at, "query_bases") == length &&
         number(at, "min_length") == least && number(at, "errors_per_1000") == errors &&
         number(at, "reference_bases") == reference_bases(entry.record);
}

std::pair<double, double> order_of(const Entry& entry) {
  return {query_length_of(entry).value_or(0), min_length_of(entry).value_or(0)};
}

Drawing draw_rates(const Figure& figure, const ReportData& data, const Published& published) {
  return by_variant({.family = kFamily,
                     .quantity = {.title = "query bases per second", .unit = Unit::bases_per_s, .log = true},
                     .value = bases_of,
                     .detail = ceiling_share,
                     .stated_of = stated_of,
                     .row = row_of,
                     .order = order_of,
                     .contestants = Contestants::with_peers},
                    figure, data, published);
}

}  // namespace

Figure rates() {
  return {"exact-match/rates", "Query bases by variant", kHeading,
          "How fast each variant searches queries at each length of matches, and how far that is from what "
          "random reads allow. 'slots' are node and length at every position, as the paper's kernel leaves "
          "them, and listing the matches is not in their time; 'matches' are listed.",
          draw_rates};
}

}  // namespace gpuseq::reports::exact_match
