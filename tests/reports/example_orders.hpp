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

/// Searches of a text of which all, half or none of the queries occur; slower than all others of the example.
inline void add_occurring_searches(std::vector<results::Record>& records, const Point& problem) {
  for (const std::int64_t percent : {100, 50, 0}) {
    Point of = problem;
    of.set("occurring_percent", percent);
    for (const std::string early_exit : {"none", "leading_word"}) {
      const bool early = early_exit == "leading_word";
      results::Record r =
          record("fm_index", "psi_lines_simd", of,
                 {{"k", 13}, {"line_bytes", 32}, {"early_exit", early_exit}, {"prefix_symbols", 10}}, "cpu",
                 4e8, "query bases", early ? 1e6 - 5e3 * static_cast<double>(percent) : 6e5);
      r.problem_label = "random, 100 Mbases, queries of 100 bases";
      if (percent < 100) r.problem_label += ", " + std::to_string(percent) + " % occur";
      records.push_back(std::move(r));
    }
  }
}

/// A kernel of the FM-index with some axes set.
inline results::Record scheme_record(const std::string& variant, const Point& problem, const Point& axes,
                                     double entry_bytes, double rate) {
  Point point{{"k", 1}, {"d", 64}, {"counters", "full"}, {"prefix_symbols", 8}, {"active_threads", 0}};
  for (const auto& [axis, value] : axes.values()) point.set(axis, value);
  results::Record r = record("fm_index", variant, problem, point, "cuda:0", 4e8, "query bases", rate);
  r.facts = {{"entry_bytes", entry_bytes}};
  return r;
}

/// A scheme as published and ours of its name; slower than all others of the example.
inline void add_published_scheme(std::vector<results::Record>& records, const Point& problem) {
  const Point published{{"entry_reads", "separate"}, {"chunks", "whole"}};
  records.push_back(scheme_record("task_parallel", problem, published, 32, 1e6));
  records.push_back(scheme_record("task_parallel", problem, {{"entry_reads", "merged"}}, 32, 2e6));
}

}  // namespace gpuseq::reports::example
