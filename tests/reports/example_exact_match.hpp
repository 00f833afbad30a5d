#pragma once

#include <string>
#include <vector>

#include "tests/reports/example_record.hpp"

/// Records of the exact-match family for the example run; rates and times are made up.
namespace gpuseq::reports::example {

inline constexpr double kMatchBases = 1e8;

/// @param rate  query bases a second; all problems have kMatchBases bases
inline results::Record match_record(const std::string& variant, std::int64_t query_bases,
                                    std::int64_t min_length, Point point, const std::string& device,
                                    double rate) {
  const bool whole = query_bases == min_length;
  results::Record r = record("exact_match", variant,
                             {{"reference", std::string("ecoli")},
                              {"queries", std::string("random")},
                              {"query_count", static_cast<std::int64_t>(kMatchBases) / query_bases},
                              {"query_bases", query_bases},
                              {"errors_per_1000", whole ? 0 : 10},
                              {"min_length", min_length},
                              {"mode", std::string("maxmatch")},
                              {"both_strands", std::string("no")}},
                             std::move(point), device, kMatchBases, "query bases", rate);
  r.facts = {{"reference_bases", 4938920},
             {"query_count", kMatchBases / static_cast<double>(query_bases)},
             {"query_bases", kMatchBases},
             {"min_length", min_length},
             {"tree_s", 0.7},
             {"from_cache", false}};
  r.ceiling = {results::Ceiling{rate * 4, "random access", "blocks over bandwidth", 0.25}, ""};
  return r;
}

inline Point gpu_matches(const std::string& memory, const std::string& order, std::int64_t lanes,
                         const std::string& result) {
  return {{"memory", memory},
          {"text_order", std::string(memory == "texture_2d" ? "space_filling" : "plain")},
          {"node_order", order},
          {"lanes", lanes},
          {"query_order", std::string("as_given")},
          {"threads_per_block", 128},
          {"result", result}};
}

/// The paper's reads: of all lengths, without errors, matched whole. A CPU thread does 1e8 bases a second.
inline void add_whole_reads(std::vector<results::Record>& records) {
  for (const std::int64_t bases : {50, 100, 200, 400, 800}) {
    const auto cpu = [&](const char* variant, std::int64_t in_flight, std::int64_t threads, double rate) {
      records.push_back(match_record(variant, bases, bases,
                                     {{"node_order", std::string("breadth_first")},
                                      {"in_flight", in_flight},
                                      {"result", std::string("slots")},
                                      {"threads", threads}},
                                     "cpu", rate));
    };
    cpu("tree", 1, 1, 1e8);
    cpu("tree", 16, 1, 4e8);
    cpu("tree", 16, 0, 3e9);
    records.push_back(match_record("tree_gpu", bases, bases,
                                   gpu_matches("texture_2d", "breadth_first", 1, "slots"), "cuda:0",
                                   1e11 / static_cast<double>(bases)));
    // Matches that are listed are no slots, however fast.
    records.push_back(match_record("tree_gpu", bases, bases,
                                   gpu_matches("texture_2d", "breadth_first", 1, "matches"), "cuda:0", 1e12));
  }
}

/// Reads with errors, by layout: depth_first is half as fast, textures 3 times, and 4 lanes 1.5 times.
inline void add_layouts(std::vector<results::Record>& records) {
  for (const char* memory : {"global", "texture_2d"})
    for (const char* order : {"breadth_first", "depth_first"})
      for (const std::int64_t lanes : {1, 4}) {
        if (lanes == 4 && std::string(memory) == "texture_2d") continue;
        const double rate =
            2e9 * (memory[0] == 't' ? 3 : 1) * (order[0] == 'd' ? 0.5 : 1) * (lanes == 4 ? 1.5 : 1);
        results::Record r =
            match_record("tree_gpu", 100, 20, gpu_matches(memory, order, lanes, "slots"), "cuda:0", rate);
        r.side_samples_s = {{"upload_tree", {0.02}},         {"sort", {0.003}},    {"load_kernel", {9}},
                            {"upload", {0.01, 0.012, 0.03}}, {"download", {0.05}}, {"listing", {0.4}}};
        records.push_back(std::move(r));
      }
}

/// MUMmerGPU's kernel as published, and a step from there; slower than all others on a GPU.
inline void add_published_tree(std::vector<results::Record>& records) {
  Point point = gpu_matches("texture_2d", "hybrid", 1, "slots");
  for (const auto& [axis, value] : {std::pair("leaves", "nodes"), std::pair("edge_ends", "compared"),
                                    std::pair("reverse_complements", "computed")})
    point.set(axis, std::string(value));
  point.set("memory_mib", 768);
  records.push_back(match_record("tree_gpu", 100, 20, point, "cuda:0", 1e9));
  point.set("memory_mib", 0);
  records.push_back(match_record("tree_gpu", 100, 20, point, "cuda:0", 2e9));
}

inline void add_exact_match(std::vector<results::Record>& records) {
  add_whole_reads(records);
  add_layouts(records);
  add_published_tree(records);
  records.push_back(match_record("tree_words_gpu", 100, 20,
                                 {{"prefix_letters", 10},
                                  {"node_order", std::string("breadth_first")},
                                  {"result", std::string("matches")}},
                                 "cuda:0", 3e10));
  results::Record cached = match_record("tree_words", 100, 20,
                                        {{"node_order", std::string("breadth_first")},
                                         {"in_flight", 16},
                                         {"result", std::string("matches")},
                                         {"threads", 0}},
                                        "cpu", 2e9);
  cached.facts["tree_s"] = 0.1;
  cached.facts["from_cache"] = true;
  records.push_back(std::move(cached));
  results::Record peer = match_record("mummer4", 100, 20, {{"threads", 1}}, "cpu", 5e6);
  peer.kind = "tool";
  peer.ceiling = {std::nullopt, "a whole process has none"};
  records.push_back(std::move(peer));
}

}  // namespace gpuseq::reports::example
