#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "reports/report.hpp"

namespace gpuseq::bench {

/// --format, --width, --bare and --height of commands that draw figures.
struct PrintOptions {
  std::vector<std::string> formats = {};
  std::string width = "auto";
  bool bare = false;
  double height_mm = 0;

  /// The options are read into this object, which must stay where it is.
  void add_to(CLI::App& command);
  /// How pictures are printed. @throws UsageError for a width that is none, or what is without pictures
  reports::Print checked() const;
};

/// Says what was written, what the renderer remarked and what could not be drawn.
void print_result(const reports::ReportResult& result);

}  // namespace gpuseq::bench
