#pragma once

#include <string>
#include <vector>

#include "reports/figure.hpp"
#include "runtime/contract/device.hpp"

namespace gpuseq::reports {

struct PageFigure {
  const Figure* figure = nullptr;
  Drawing drawing;
};

struct Page {
  const ReportData& data;
  const Published& published;
  const std::vector<PageFigure>& figures;
  const Maybe<std::string>&
      vega_scripts;  // without them the page has its tables and says how to get the plots
};

/// The report as one HTML file: scripts, styles and data inside; its content policy forbids the network.
std::string page_html(const Page& page);

}  // namespace gpuseq::reports
