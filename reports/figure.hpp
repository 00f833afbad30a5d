#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/charts/chart.hpp"
#include "reports/published.hpp"
#include "reports/report_data.hpp"

namespace gpuseq::reports {

/// A chart with its Vega-Lite 5 specification, as a screen shows it; or why there is nothing to draw.
struct Drawing {
  std::optional<nlohmann::ordered_json> spec;
  std::string reason;
  std::optional<chart::Chart> chart = {};
};
Drawing drawn(chart::Chart chart);
Drawing not_drawn(std::string reason);

struct Figure {
  std::string name;  // "fm-index/fig9"; the file is plots/fm-index-fig9.vl.json
  std::string title;
  std::string family;   // heading under which the page shows it
  std::string caption;  // what one reads from it, one or two sentences
  Drawing (*draw)(const Figure& figure, const ReportData& data, const Published& published);
  bool of_samples = true;  // draws what was timed; false: what is counted, or states of itself

  std::string file_stem() const;
};

/// Every figure there is, in the order of the page. A family brings its own in figures/<family>/figures.hpp.
const std::vector<Figure>& figures();

/// The figures of some names, in the order of the names; all for none.
/// @throws UsageError for an unknown name, with the nearest one and all others
std::vector<const Figure*> find_figures(const std::vector<std::string>& names);

}  // namespace gpuseq::reports
