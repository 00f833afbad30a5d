#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "reports/figure.hpp"
#include "reports/page/exec_use.hpp"
#include "runtime/contract/device.hpp"

namespace gpuseq::reports {

struct PageFigure {
  const Figure* figure = nullptr;
  std::string spec = {};                // as it may stand in a <script> element; empty: not drawn
  std::string reason = {};              // why not
  std::vector<std::string> notes = {};  // the lines under the title
};

struct Page {
  const ReportData& data;
  const Published& published;
  const std::vector<PageFigure>& figures;
  const Maybe<std::string>&
      vega_scripts;  // without them the page has its tables and says how to get the plots
  const ExecUses& exec;
};

/// Writes the report as one HTML file: scripts, styles and data inside; its content policy forbids the
/// network.
void write_page(std::ostream& out, const Page& page);

}  // namespace gpuseq::reports
