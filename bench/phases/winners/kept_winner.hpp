#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/phases/winners/problem_class.hpp"

namespace gpuseq::bench {

/// A winner as tuned.json and the cache have it: the data that its point needs.
struct KeptWinner {
  std::string family, variant, machine, made, metric;
  bool maximise = true;
  ProblemClass problem_class;
  Point point;
  std::vector<std::string> variants;  // that were measured on its problem and device
  double score = 0;
  std::string problem_label;
  MemoryLimits limits;          // that it keeps to
  nlohmann::ordered_json json;  // all of it
};

bool are_same(const MemoryLimits& a, const MemoryLimits& b);

/// The winners of a tuned.json, or of a file of the cache. @param name  in messages
/// @throws UsageError naming the place that differs from the schema
std::vector<KeptWinner> winners_from(std::string_view text, const std::string& name);

/// The schema of such files (configs/tuned.schema.json, linked in).
const nlohmann::json& tuned_schema();

}  // namespace gpuseq::bench
