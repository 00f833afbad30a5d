#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/reports/example_record.hpp"

/// Records of the PaPaRa family for the example run; rates are made up.
namespace gpuseq::reports::example {

inline Point papara_problem(std::int64_t references, std::int64_t sites, std::int64_t queries,
                            std::int64_t shortest = 100, std::int64_t longest = 100) {
  return {{"alignment", "evolved"},     {"tree", "evolved"},       {"queries", "evolved"},
          {"references", references},   {"sites", sites},          {"query_count", queries},
          {"shortest_query", shortest}, {"longest_query", longest}};
}

inline results::Record papara_record(const std::string& variant, const Point& problem, Point point,
                                     const std::string& device, double gcups) {
  const auto size = [&](const char* axis) { return static_cast<double>(problem.integer(axis)); };
  const double bases = (size("shortest_query") + size("longest_query")) / 2;
  const double cells = size("references") * size("query_count") * bases * (size("sites") - bases + 1);
  results::Record r =
      record("papara", variant, problem, std::move(point), device, cells, "cells", gcups * 1e9);
  r.facts = {{"references", problem.integer("references")},
             {"sites", problem.integer("sites")},
             {"queries_aligned", problem.integer("query_count")}};
  if (device == "cpu") r.facts["highway_target"] = "AVX3";
  r.ceiling = {results::Ceiling{gcups * 1.6e9, "integer pipe", "instructions over throughput", 1 / 1.6}, ""};
  return r;
}

inline void add_papara_variants(std::vector<results::Record>& records, const Point& problem) {
  const double sites = static_cast<double>(problem.integer("sites"));
  const double queries = static_cast<double>(problem.integer("query_count"));
  const double long_line = std::min(1.0, 2e4 / sites), filled = queries / (queries + 40);
  records.push_back(
      papara_record("sequential", problem, {{"threads", 1}}, "cpu", 0.9 * std::max(0.8, long_line)));
  for (const std::int64_t threads : {4, 0})
    for (const std::int64_t bits : {8, 16, 32}) {
      const double rate = (threads == 0 ? 90 : 4) * 400.0 / static_cast<double>(bits);
      const Point point{{"bits", bits}, {"target", "best"}, {"threads", threads}};
      records.push_back(
          papara_record("row_wise", problem, point, "cpu", rate / 2 * std::max(0.12, long_line)));
      records.push_back(papara_record("blocked", problem, point, "cpu", rate * filled));
    }
  for (const char* arithmetic : {"s32", "s16x2", "f16x2"})
    for (const char* variant : {"row_wise_global", "blocked_shared", "blocked_registers"}) {
      const double scheme = variant[0] == 'r' ? 0.1 : variant[8] == 's' ? 0.5 : 1;
      const double rate = (arithmetic[1] == '3' ? 2600 : 5000) * scheme * filled;
      records.push_back(papara_record(
          variant, problem, {{"arithmetic", arithmetic}, {"threads_per_block", 64}}, "cuda:0", rate));
    }
}

/// Axes of the published kernel.
inline Point published_blocks() {
  return {{"arithmetic", "s32"},
          {"unroll", 12},
          {"elements", "compressed"},
          {"threads_per_block", 320},
          {"references_per_launch", 320},
          {"recurrence", "printed"},
          {"ends", "square"}};
}

/// The published kernel and a step from there; slower than all others.
inline void add_published_blocks(std::vector<results::Record>& records, const Point& problem) {
  Point point = published_blocks();
  records.push_back(papara_record("blocked_shared", problem, point, "cuda:0", 0.1));
  point.set("ends", std::string("blocks"));
  records.push_back(papara_record("blocked_shared", problem, point, "cuda:0", 0.2));
}

inline void add_papara(std::vector<results::Record>& records) {
  add_published_blocks(records, papara_problem(320, 5000, 1250));
  for (const std::int64_t sites : {500, 1000, 5000, 10000, 50000, 100000, 500000})
    add_papara_variants(records, papara_problem(320, sites, 1250));
  for (const std::int64_t queries : {100, 250, 500, 750, 1000})
    add_papara_variants(records, papara_problem(320, 5000, queries));
  const Point dataset = papara_problem(1601, 3060, 16040, 80, 120);
  add_papara_variants(records, dataset);
  const auto hybrid = [&](std::int64_t cpu_threads, std::int64_t gpus, double gcups, nlohmann::json facts) {
    results::Record r =
        papara_record("hybrid", dataset, {{"cpu_threads", cpu_threads}, {"gpus", gpus}}, "cpu", gcups);
    r.facts.update(facts);
    r.ceiling = {std::nullopt, "none for several devices"};
    records.push_back(std::move(r));
  };
  hybrid(0, -1, 9000, {{"gpus", 1}, {"cpu_share", 0.45}, {"gpu0_share", 0.55}, {"imbalance_share", 0.02}});
  hybrid(0, 0, 4300, {{"gpus", 0}, {"cpu_share", 1.0}, {"imbalance_share", 0.01}});
  hybrid(-1, -1, 5100, {{"gpus", 1}, {"gpu0_share", 1.0}, {"imbalance_share", 0}});
}

}  // namespace gpuseq::reports::example
