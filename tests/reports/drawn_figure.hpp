#pragma once

#include <filesystem>
#include <functional>
#include <set>

#include "reports/figure.hpp"
#include "tests/reports/example_run.hpp"
#include "tests/source_dir.hpp"

/// Figures of the example run, drawn, and what stands in them.
namespace gpuseq::reports::example {

using Json = nlohmann::ordered_json;

inline const std::filesystem::path kFacts = source_dir() / "configs/published/fm-index.json";

inline const Figure& figure(const std::string& name) {
  for (const Figure& f : figures())
    if (f.name == name) return f;
  throw std::runtime_error("no figure " + name);
}

inline Drawing draw(const std::string& name, const ReportData& data, const Published& published = {}) {
  return figure(name).draw(figure(name), data, published);
}

/// Data with only the records that `keep` likes.
inline ReportData only(const std::function<bool(const results::Record&)>& keep) {
  std::vector<results::Record> records = example::records();
  std::erase_if(records, [&](const results::Record& r) { return !keep(r); });
  return data(std::move(records));
}

inline std::vector<Json> panels(const Json& spec) {
  if (!spec.contains("concat")) return {spec};
  return {spec["concat"].begin(), spec["concat"].end()};
}

/// Rows of all panels that satisfy `keep`.
inline std::vector<Json> rows(
    const Json& spec, const std::function<bool(const Json&)>& keep = [](const Json&) { return true; }) {
  std::vector<Json> rows;
  for (const Json& panel : panels(spec))
    for (const Json& row : panel["data"]["values"])
      if (keep(row)) rows.push_back(row);
  return rows;
}

inline std::set<std::string> series(const Json& spec) {
  std::set<std::string> names;
  for (const Json& row : rows(spec)) names.insert(row["series"].get<std::string>());
  return names;
}

}  // namespace gpuseq::reports::example
