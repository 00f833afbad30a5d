#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernels/fm_index/data/queries.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"

namespace gpuseq::fm_index::testing {

/// A text with queries, half of which occur, and their answers. Each of the first ones is a base longer.
struct Case {
  std::string text;
  std::vector<std::string> queries;
  std::vector<u32> packed, begin, bases;
  std::vector<Interval<u64>> expected;

  Case(std::string reference, u32 count, u32 longest, u32 shortest = 0) : text(std::move(reference)) {
    const BruteForce oracle(text);
    Random random(text.size());
    for (u32 i = 0; i < count; ++i) {
      const u32 length = std::max(shortest, i <= 16 ? i : static_cast<u32>(random.below(longest + 1)));
      std::string query = random_letters(length, i);
      if (i % 2 == 0 && length <= text.size())
        query = text.substr(random.below(text.size() - length + 1), length);
      const std::vector<u32> words = testing::packed(query);
      begin.push_back(static_cast<u32>(packed.size() / 4));
      bases.push_back(length);
      packed.insert(packed.end(), words.begin(), words.end());
      expected.push_back(oracle.interval(query));
      queries.push_back(std::move(query));
    }
    packed.resize(packed.size() + 4);  // a query without bases may begin at the end
  }

  Queries as_queries() const {
    Queries all;
    all.packed = packed;
    all.begin = begin;
    all.bases = bases;
    return all;
  }
};

}  // namespace gpuseq::fm_index::testing
