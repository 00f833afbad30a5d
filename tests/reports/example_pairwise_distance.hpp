#pragma once

#include <string>
#include <vector>

#include "tests/reports/example_record.hpp"

/// Records of the all-pairs distance family for the example run; rates are made up.
namespace gpuseq::reports::example {

inline results::Record pairwise_record(const std::string& variant, std::int64_t instances,
                                       std::int64_t attributes, Point point, const std::string& device,
                                       double rate) {
  const double comparisons =
      static_cast<double>(instances) * static_cast<double>(instances) * static_cast<double>(attributes);
  results::Record r = record("pairwise_distance", variant,
                             {{"metric", std::string("hamming")},
                              {"instances", std::string("random")},
                              {"instance_count", instances},
                              {"attribute_count", attributes}},
                             std::move(point), device, comparisons, "comparisons", rate);
  r.facts = {{"instance_count", instances}, {"attribute_count", attributes}};
  r.ceiling = {results::Ceiling{rate * 2, "instructions (alu pipe)", "instructions over throughput", 0.5},
               ""};
  return r;
}

inline void add_pairwise_distance(std::vector<results::Record>& records) {
  for (const auto& [instances, attributes] : {std::pair{112, 512}, std::pair{4096, 4096}}) {
    records.push_back(pairwise_record("appendix", instances, attributes, {{"threads", 1}}, "cpu", 6e8));
    for (const std::int64_t threads : {1, 0})
      for (const auto& [target, rate] : {std::pair{"avx2", 2e11}, std::pair{"avx512", 5e11}})
        records.push_back(pairwise_record("bit_planes", instances, attributes,
                                          {{"target", std::string(target)}, {"threads", threads}}, "cpu",
                                          threads == 0 ? rate * 8 : rate));
    double rate = 2e10;
    for (const char* variant : {"naive", "coalesced", "char4", "register", "shared", "tensor"})
      for (const std::int64_t threads : {64, 128})
        records.push_back(pairwise_record(variant, instances, attributes, {{"threads_per_block", threads}},
                                          "cuda:0", (rate *= 1.4) * (threads == 64 ? 2 : 1)));
  }
  // A state on two GPUs.
  for (const char* device : {"cuda:0", "cuda:1"})
    records.push_back(pairwise_record("shared", 8192, 4096, {{"threads_per_block", 64}}, device, 1e11));
}

/// The paper's problem on some data sets, of which `shared` takes 1 to so many percent more than its rate.
inline void add_data_sets(std::vector<results::Record>& records, std::int64_t data_sets) {
  for (std::int64_t data_set = 0; data_set < data_sets; ++data_set)
    for (const std::int64_t threads : {64, 128}) {
      // 64 threads are faster on one data set, 128 on all the others.
      const double rate = threads == 128 ? 1e11 : data_set == 3 ? 4e11 : 5e10;
      results::Record record = pairwise_record("shared", 112, 512, {{"threads", threads}}, "cuda:0",
                                               rate / (1 + 0.01 * static_cast<double>(data_set + 1)));
      record.state.problem.set("data_set", data_set);
      record.problem_label = "112 instances x 512 attributes";
      if (data_set > 0) record.problem_label += ", data set " + std::to_string(data_set);
      records.push_back(std::move(record));
    }
}

/// Rates over instances: a GPU gains until it is full, a CPU does not.
inline void add_instance_sizes(std::vector<results::Record>& records) {
  for (std::int64_t instances = 112; instances <= 1792; instances *= 2) {
    const auto pairs = static_cast<double>(instances * instances);
    records.push_back(pairwise_record("appendix", instances, 256, {{"threads", 1}}, "cpu", 1e9));
    for (const auto& [variant, rate] : {std::pair{"naive", 2e11}, std::pair{"tensor", 2e14}})
      records.push_back(pairwise_record(variant, instances, 256, {{"threads_per_block", 128}}, "cuda:0",
                                        rate * pairs / (pairs + 1e6)));
  }
}

}  // namespace gpuseq::reports::example
