#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/reports/example_record.hpp"

/// Records of the profile-HMM filters for the example run; rates are made up.
namespace gpuseq::reports::example {

inline constexpr std::int64_t kModelLengths[] = {100, 200, 300, 400, 600, 800, 1000, 1200, 1528, 2405};

inline Point profile_hmm_problem(const std::string& filter, std::int64_t model_length,
                                 const std::string& models = "random") {
  return {{"filter", filter},        {"models", models},    {"model", 1},    {"model_length", model_length},
          {"sequences", "proteins"}, {"sequence_count", 0}, {"homologs", 10}};
}

inline results::Record profile_hmm_record(const std::string& variant, const Point& problem, Point point,
                                          const std::string& device, double gcups) {
  const double length = static_cast<double>(problem.integer("model_length"));
  results::Record r = record("profile_hmm", variant, problem, std::move(point), device, 178.7e6 * length,
                             "cells", gcups * 1e9);
  r.facts = {{"model_length", problem.integer("model_length")},
             {"sequence_count", 486000},
             {"residues", 178700000},
             {"cells", 178.7e6 * length}};
  r.ceiling = {results::Ceiling{gcups * 1.5e9, "integer pipe", "instructions over throughput", 1 / 1.5}, ""};
  return r;
}

/// A kernel whose row is in `row`, as `point` asks or as `auto` decided.
inline results::Record filter_kernel(const std::string& variant, const Point& problem, Point point,
                                     const std::string& row, double gcups) {
  results::Record r = profile_hmm_record(variant, problem, point, "cuda:0", gcups);
  const std::int64_t length = problem.integer("model_length");
  const bool constant = point.word("stripes") == "constant", ahead = point.word("compiled_by") == "nvcc";
  const std::int64_t words = (length + 63) / 64;
  r.facts["kernel"] = "profile_hmm_" + problem.word("filter") + "_f16x2_l32_" + row + "_shared_read_only_q" +
                      std::to_string(constant ? words : 0) + "_w8_u4";
  Resources resources;
  resources.threads_per_block = 256;
  resources.blocks = 528;
  resources.registers_per_thread =
      static_cast<int>(constant && row == "registers" ? std::min<std::int64_t>(255, 34 + 3 * words) : 40);
  resources.occupancy = row == "shared"
                            ? std::min(1.0, 600.0 / static_cast<double>(length))
                            : std::min(1.0, 32.0 / static_cast<double>(resources.registers_per_thread));
  if (row == "local") resources.local_bytes = 544;
  resources.compiled_by = ahead ? "nvcc" : "nvrtc";
  resources.from_cache = !ahead && length % 200 == 0;
  if (!ahead && !resources.from_cache) resources.compile_s = 0.4 + 0.05 * static_cast<double>(words);
  r.resources = resources;
  r.side_samples_s["load_kernel"] = {resources.compile_s + 0.003};
  return r;
}

inline void add_filter_kernels(std::vector<results::Record>& records, const Point& problem) {
  const std::string filter = problem.word("filter");
  const double length = static_cast<double>(problem.integer("model_length"));
  const double scale = (filter == "ssv" ? 9000 : filter == "msv" ? 5000 : 950) * length / (length + 120);
  for (const char* variant : {"video_warp", "lane_groups"}) {
    const double design = variant[0] == 'v' ? 0.15 : 1;
    for (const char* row : {"registers", "shared", "local"}) {
      const double rate = row[0] == 'r' ? 1 : row[0] == 's' ? 0.6 * std::min(1.0, 700 / length) : 0.45;
      const Point point{
          {"row", row}, {"stripes", "constant"}, {"compiled_by", "nvrtc"}, {"warps_per_block", 0}};
      records.push_back(filter_kernel(variant, problem, point, row, scale * design * rate));
      if (filter == "viterbi")
        records.back().counters = {
            std::map<std::string, double>{{"l1tex__t_sector_hit_rate.pct", row[0] == 'r' ? 96 : 60}}, ""};
    }
    const Point ahead{
        {"row", "auto"}, {"stripes", "variable"}, {"compiled_by", "nvcc"}, {"warps_per_block", 0}};
    records.push_back(filter_kernel(variant, problem, ahead, "local", scale * design * 0.4));
    if (filter == "viterbi")
      records.back().counters = {std::map<std::string, double>{{"l1tex__t_sector_hit_rate.pct", 80}}, ""};
  }
}

/// The published kernel and the first step from there; slower than all others.
inline void add_published_kernel(std::vector<results::Record>& records) {
  Point point{{"row", "auto"}, {"stripes", "variable"}, {"resident_warps", 32}, {"warps_per_block", 32}};
  for (const auto& [axis, value] : {std::pair{"assignment", "static"},
                                    {"order", "file"},
                                    {"residues", "shared"},
                                    {"reduction", "each_row"},
                                    {"deletions", "lazy_f"},
                                    {"loads", "words"},
                                    {"costs", "read_only"},
                                    {"steps", "read_only"}})
    point.set(axis, std::string(value));
  const Point problem = profile_hmm_problem("msv", kModelLengths[0]);
  for (const auto& [compiled_by, gcups] : {std::pair{"nvcc", 0.5}, {"nvrtc", 1.0}}) {
    point.set("compiled_by", std::string(compiled_by));
    records.push_back(filter_kernel("video_warp", problem, point, "registers", gcups));
  }
}

inline void add_profile_hmm(std::vector<results::Record>& records) {
  add_published_kernel(records);
  for (const char* filter : {"ssv", "msv", "viterbi"})
    for (const std::int64_t length : kModelLengths) {
      const Point problem = profile_hmm_problem(filter, length);
      add_filter_kernels(records, problem);
      for (const std::int64_t threads : {1, 0})
        for (const auto& [target, gcups] : {std::pair{"sse4", 60.0}, {"avx2", 110.0}, {"avx512", 160.0}}) {
          const double rate = gcups * (threads == 0 ? 80 : 1) * (filter[0] == 'v' ? 0.06 : 1);
          records.push_back(profile_hmm_record("striped", problem, {{"target", target}, {"threads", threads}},
                                               "cpu", rate));
        }
    }
}

}  // namespace gpuseq::reports::example
