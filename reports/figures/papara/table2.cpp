#include <fmt/format.h>

#include "reports/figures/papara/curves.hpp"
#include "reports/figures/papara/figures.hpp"

namespace gpuseq::reports::papara {
namespace {

// Rate over the number of queries.
Drawing draw_table2(const Figure& figure, const ReportData& data, const Published& published) {
  const auto rest = [](const Shape& shape) {
    const std::string queries = shape.query_text();
    return fmt::format("{} references of {} sites{}", shape.references, shape.sites,
                       queries.empty() ? "" : ", queries" + queries);
  };
  return rates_over({.size = &Shape::queries,
                     .x = {.title = "queries", .unit = Unit::number_si, .log = true},
                     .rest = rest,
                     .need = "two or more numbers of queries for the same references"},
                    figure, data, published);
}

}  // namespace

Figure table2() {
  return {"papara/table2", "Rate over the number of queries", kHeading,
          std::string("How many queries a variant needs to reach its rate. ") + kCounted, draw_table2};
}

}  // namespace gpuseq::reports::papara
