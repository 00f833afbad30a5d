#include <fmt/format.h>

#include "reports/figures/papara/curves.hpp"
#include "reports/figures/papara/figures.hpp"

namespace gpuseq::reports::papara {
namespace {

// Rate over the length of the references.
Drawing draw_table1(const Figure& figure, const ReportData& data, const Published& published) {
  const auto rest = [](const Shape& shape) {
    return fmt::format("{} queries{} x {} references", shape.queries, shape.query_text(), shape.references);
  };
  return rates_over({.size = &Shape::sites,
                     .x = {.title = "reference length (sites)", .unit = Unit::number_si, .log = true},
                     .rest = rest,
                     .need = "two or more reference lengths with as many queries and references"},
                    figure, data, published);
}

}  // namespace

Figure table1() {
  return {"papara/table1", "Rate over reference length", kHeading,
          std::string("Whether a variant holds its rate as references outgrow the caches. ") + kCounted,
          draw_table1};
}

}  // namespace gpuseq::reports::papara
