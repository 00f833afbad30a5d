#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/fm_index/cuda/device_order.cuh"
#include "kernels/fm_index/data/queries.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"

// Queries that are put in order on a device, and that order by their letters.

namespace gpuseq::fm_index::testing {

/// @param even  all of 100 bases; else of 0 ... 130. Some are equal.
inline Queries random_queries(u32 count, bool even) {
  Queries queries;
  for (u32 i = 0; i < count; ++i) queries.add(random_letters(even ? 100 : i % 131, i % 5 == 4 ? i - 1 : i));
  return queries;
}

/// The numbers of queries as a stable sort of the letters that a key is of leaves them.
inline std::vector<u32> order_by_letters(const Queries& queries, OrderKey key) {
  std::vector<std::string> taken;
  std::vector<u32> numbers;
  for (u32 i = 0; i < queries.begin.size(); ++i) {
    std::string letters = queries.letters(i);
    if (key.from_end) std::ranges::reverse(letters);
    letters.resize(key.bases, 'A');
    taken.push_back(letters);
    numbers.push_back(i);
  }
  std::ranges::stable_sort(numbers, {}, [&](u32 number) { return taken[number]; });
  return numbers;
}

}  // namespace gpuseq::fm_index::testing
