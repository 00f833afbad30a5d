#pragma once

#include <vector>

#include "tests/reports/example_record.hpp"

namespace gpuseq::reports::example {

/// Rates over the size of a problem: n_1/2 of the GPU is 20 000 queries, of the CPU 500.
/// @param problem  without a size
inline void add_sizes(std::vector<results::Record>& records, const Point& problem) {
  for (std::int64_t queries = 1000; queries <= 1024000; queries *= 4)
    for (const char* device : {"cpu", "cuda:0"}) {
      const bool cpu = device[1] == 'p';
      Point sized = problem;
      sized.set("query_count", queries);
      const double n = static_cast<double>(queries);
      results::Record r =
          record("fm_index", cpu ? "simd" : "task_parallel", sized, {{"k", 1}, {"d", 64}}, device, 100 * n,
                 "query bases", (cpu ? 4e9 : 8e10) * n / (n + (cpu ? 500 : 20000)));
      r.phase = "size";
      r.size = results::ProblemSize{.axis = "query_count", .noun = "queries", .value = queries};
      r.ceiling.reason = "measured for its rate over size";
      records.push_back(std::move(r));
    }
}

}  // namespace gpuseq::reports::example
