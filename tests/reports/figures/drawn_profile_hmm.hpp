#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/reports/drawn_figure.hpp"

/// What tests of the profile-HMM figures look at.
namespace gpuseq::reports::example {

inline const std::filesystem::path kPaper = kFacts.parent_path() / "profile-hmm.json";

/// Of the filters; the runs of whole pipelines have figures of their own.
inline ReportData filters(const std::function<bool(const results::Record&)>& keep) {
  return only([&](const results::Record& r) {
    return r.state.family == "profile_hmm" && r.kind == "kernel" && keep(r);
  });
}
inline ReportData filters() {
  return filters([](const results::Record&) { return true; });
}

inline std::string subtitle(const Json& spec) {
  return spec["title"]["subtitle"].dump();
}

inline std::vector<std::string> titles(const Json& spec) {
  std::vector<std::string> titles;
  for (const Json& panel : panels(spec)) titles.push_back(panel["title"]["text"].dump());
  return titles;
}

inline std::vector<Json> hollow(const Json& panel) {
  std::vector<Json> found;
  for (const Json& row : panel["data"]["values"])
    if (row.value("published", false)) found.push_back(row);
  return found;
}

inline std::vector<Json> marks_of(const Json& panel, const std::string& series, double length) {
  std::vector<Json> found;
  for (const Json& row : panel["data"]["values"])
    if (row["series"] == series && row["x"] == length && !row.value("published", false)) found.push_back(row);
  return found;
}

/// Labels of the lines across a panel.
inline std::string guides(const Json& panel) {
  std::string labels;
  for (const Json& layer : panel["layer"])
    if (layer.contains("data") && layer["mark"]["type"] == "text")
      labels += layer["data"]["values"][0]["label"].get<std::string>() + "; ";
  return labels;
}

}  // namespace gpuseq::reports::example
