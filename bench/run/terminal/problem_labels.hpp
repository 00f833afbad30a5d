#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace gpuseq::bench {

/// A label with "n" instead of the size that the run found: "n queries of 100 bases,
/// in ecoli". Unchanged where its words do not show which number the size is.
/// @param size  "size" of run.json's `tuned`
std::string label_of_any_size(const std::string& label, const nlohmann::ordered_json& size);

/// Parts between commas that all labels have: a table prints them once. All parts of a single label.
std::vector<std::string> common_parts(const std::set<std::string>& labels);

/// The other parts of a label.
std::string without_parts(const std::string& label, const std::vector<std::string>& common);

}  // namespace gpuseq::bench
