#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "reports/figure.hpp"

namespace gpuseq::reports {

struct ReportOptions {
  std::vector<std::filesystem::path> run_dirs;  // folders with records.jsonl and run.json; at least one
  std::filesystem::path output_dir = {};        // empty: the first run folder
  std::vector<std::string> figures = {};        // names; empty: all
  std::vector<std::string> formats = {};        // rendered beside plots/*.vl.json: "svg", "png", "pdf"
  std::filesystem::path python = {};  // an interpreter with vl-convert-python; empty: no plots on the page
  std::filesystem::path paper_facts = {};  // configs/paper-fm-index.json; empty: nothing published is drawn
};

struct ReportResult {
  std::vector<std::filesystem::path> files;                    // all that was written, report.html last
  std::vector<std::pair<std::string, std::string>> not_drawn;  // figure and reason
  std::string no_plots_on_page;                                // why; empty when they are there
};

/// Writes plots/<figure>.vl.json (and renderings) and report.html, one file that needs no network.
/// @throws UsageError for an unknown figure or format, unreadable runs or facts; ResourceError if a file
/// cannot be written, or if `formats` were asked for and cannot be rendered
ReportResult write_report(const ReportOptions& options);

/// Writes only the plots: plots/<figure>.vl.json and their renderings. Errors as write_report().
ReportResult render(const ReportOptions& options);

}  // namespace gpuseq::reports
