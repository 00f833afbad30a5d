#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/published.hpp"
#include "reports/report_data.hpp"

namespace gpuseq::reports {

/// A Vega-Lite v5 specification with its data inside, or why there is nothing to draw.
struct Drawing {
  std::optional<nlohmann::ordered_json> spec;
  std::string reason;
};

struct Figure {
  std::string name;  // "fm-index/fig9"; the file is plots/fm-index-fig9.vl.json
  std::string title;
  std::string family;   // heading under which the page shows it
  std::string caption;  // what one reads from it, one or two sentences
  Drawing (*draw)(const Figure& figure, const ReportData& data, const Published& published);

  std::string file_stem() const;
};

/// Every figure there is, in the order of the page.
const std::vector<Figure>& figures();

/// The figures of one family each; figures() lists them.
std::vector<Figure> probe_figures();
std::vector<Figure> fm_index_figures();

}  // namespace gpuseq::reports
