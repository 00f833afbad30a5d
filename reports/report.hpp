#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "reports/charts/print_parts.hpp"
#include "reports/device_identity.hpp"
#include "reports/figure.hpp"
#include "reports/page/exec_use.hpp"

namespace gpuseq::reports {

/// How pictures are on paper.
struct Print {
  /// 0: a figure of several panels as wide as the page, else as a column (chart::kPageMillimetres,
  /// kColumnMillimetres).
  double width_mm = 0;
  /// Without title, notes and provenance, which go to <figure>.caption.tex and .caption.txt; in several
  /// pictures (<figure>-1.pdf ...) where one would be too high.
  bool bare = false;
  double height_mm = 0;  // of a bare picture at most; 0: 0.8 of its width
};

/// The pictures that a figure is printed as.
std::vector<chart::PrintPart> print_parts(const chart::Chart& chart, const Print& print);

struct ReportOptions {
  std::vector<std::filesystem::path> run_dirs;   // folders with records.jsonl and run.json; at least one
  std::filesystem::path output_dir = {};         // empty: the first run folder
  std::vector<std::filesystem::path> over = {};  // runs that figures are drawn over; see overlay.hpp
  std::vector<std::string> figures = {};         // names; empty: all
  std::vector<std::string> formats = {};         // of figure_formats(), beside plots/*.vl.json
  Print print = {};                              // svg, png and pdf
  std::filesystem::path python = {};  // an interpreter with vl-convert-python; empty: no plots on the page
  std::vector<std::filesystem::path> published = {};  // configs/published/; empty: nothing published is drawn
  Boards boards = Boards::apart;                      // by model: equal boards of several runs are one device
  ExecUses exec = {};  // what the page's lines for `exec` are made of; empty: no such lines
};

struct ReportResult {
  std::vector<std::filesystem::path> files;                    // all that was written, report.html last
  std::vector<std::pair<std::string, std::string>> not_drawn;  // figure and reason
  std::string no_plots_on_page;                                // why; empty when they are there
  std::vector<std::string> remarks;                            // of the data, then of the renderer
};

/// "vl.json", "svg", "pdf", "png", "csv", "tex".
const std::vector<std::string>& figure_formats();

/// Writes plots/<figure>.vl.json (and other formats) and report.html, one file that needs no network.
/// @throws UsageError for an unknown figure or format, unreadable runs or facts; ResourceError if a file
/// cannot be written, or if `formats` were asked for and cannot be rendered
ReportResult write_report(const ReportOptions& options);

/// Writes only the plots. Errors as write_report().
ReportResult render(const ReportOptions& options);

/// Writes nothing: which of the figures the runs can draw, and why not the others.
std::vector<std::pair<const Figure*, Drawing>> draw_figures(const ReportOptions& options);

}  // namespace gpuseq::reports
