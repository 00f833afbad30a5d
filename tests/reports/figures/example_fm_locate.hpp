#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/reports/example_record.hpp"

/// Records of the family that locates queries for the example run; rates are made up.
namespace gpuseq::reports::example {

/// @param threads_per_block  tuning alone
inline results::Record locate_record(std::int64_t bases, std::int64_t sa_rate, const std::string& sampling,
                                     double rate, std::int64_t threads_per_block = 128) {
  const double bytes_per_base = (sampling == "text" ? 0.5 : 1.0 / 3) + 4.0 / static_cast<double>(sa_rate);
  results::Record r =
      record("fm_locate", "walk",
             {{"reference", std::string("random")},
              {"reference_bases", bases},
              {"queries", std::string("sampled")},
              {"query_count", 1000000},
              {"query_bases", 50}},
             {{"sa_rate", sa_rate}, {"sa_sampling", sampling}, {"threads_per_block", threads_per_block}},
             "cuda:0", 1e6, "positions", rate);
  r.problem_label = fmt::format("random, {} Mbases, queries of 50 bases", bases / 1000000);
  r.facts = {{"bits_per_base", 8 * bytes_per_base}, {"reference_bases", bases}};
  r.ceiling = {results::Ceiling{rate * 2, "random access", "blocks over bandwidth", 0.5}, ""};
  return r;
}

/// A step takes as long as a look at a sample; rows take twice the steps.
inline void add_locating(std::vector<results::Record>& records) {
  for (const std::int64_t bases : {1000000, 100000000})
    for (const char* sampling : {"rows", "text"})
      for (std::int64_t sa_rate = 1; sa_rate <= 64; sa_rate *= 2) {
        const double steps = static_cast<double>(sa_rate - 1) / (sampling[0] == 't' ? 2 : 1);
        records.push_back(locate_record(bases, sa_rate, sampling, 4e10 / (1 + steps)));
      }
}

}  // namespace gpuseq::reports::example
