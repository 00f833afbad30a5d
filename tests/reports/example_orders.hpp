#pragma once

#include <string>
#include <vector>

#include "tests/reports/example_record.hpp"

namespace gpuseq::reports::example {

/// Searches of the same queries as they are given, and sorted; slower than all others of the example.
inline void add_ordered_searches(std::vector<results::Record>& records, const Point& problem) {
  for (const std::string order : {"as_given", "sorted"}) {
    Point of = problem;
    of.set("query_order", order);
    results::Record r =
        record("fm_index", "scalar", of, {{"k", 1}, {"prefix_symbols", 10}}, "cpu", 4e8, "query bases", 1e6);
    r.problem_label = "queries " + order;
    if (order == "sorted") r.side_samples_s["sort"] = {1};
    records.push_back(std::move(r));
  }
}

}  // namespace gpuseq::reports::example
