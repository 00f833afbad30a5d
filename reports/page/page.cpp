#include "reports/page/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "reports/charts/chart.hpp"
#include "reports/page/html.hpp"
#include "reports/page/machine_cards.hpp"
#include "reports/page/page_records.hpp"
#include "reports/page/page_tables.hpp"
#include "reports/renderer.hpp"
#include "runtime/contract/bound.hpp"
#include "runtime/io/embedded.hpp"
#include "runtime/io/program_name.hpp"

GPUSEQ_EMBEDDED(page_css)
GPUSEQ_EMBEDDED(tables_css)
GPUSEQ_EMBEDDED(elements_js)
GPUSEQ_EMBEDDED(records_js)
GPUSEQ_EMBEDDED(filter_js)
GPUSEQ_EMBEDDED(filter_bar_js)
GPUSEQ_EMBEDDED(sortable_js)
GPUSEQ_EMBEDDED(columns_js)
GPUSEQ_EMBEDDED(record_table_js)
GPUSEQ_EMBEDDED(exports_js)
GPUSEQ_EMBEDDED(samples_js)
GPUSEQ_EMBEDDED(record_view_js)
GPUSEQ_EMBEDDED(plots_js)
GPUSEQ_EMBEDDED(page_js)

namespace gpuseq::reports {
namespace {

using html::escape;

/// Nothing is loaded from anywhere; Vega compiles its expressions, hence unsafe-eval.
constexpr std::string_view kContentPolicy =
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: "
    "blob:";

std::string title_of(const ReportData& data) {
  std::vector<std::string> names;
  for (const Run& run : data.runs) names.push_back(run.name);
  return fmt::format("{}: {}", kProgramName, fmt::join(names, ", "));
}

/// Kernels that are faster than the probes say they can be.
std::string refuted_html(const ReportData& data) {
  const auto refuted = std::ranges::count_if(data.entries, [](const Entry& entry) {
    return entry.record.ceiling.value && entry.record.ceiling.value->fraction > kRefutedFraction;
  });
  if (refuted == 0) return "";
  return fmt::format(
      "<p class=\"warning\">Refuted ceilings: {} of {} records are faster than theirs, whose notes say "
      "so.</p>\n",
      refuted, data.entries.size());
}

/// Ceilings that stand on probes which were not part of the run.
std::string cards_html(const ReportData& data) {
  std::size_t count = 0;
  std::set<std::string> dates;
  for (const Entry& entry : data.entries)
    if (const auto& ceiling = entry.record.ceiling.value; ceiling && ceiling->card) {
      ++count;
      dates.insert(ceiling->card->made);
    }
  if (count == 0) return "";
  return fmt::format(
      "<p>Ceilings of {} records are from probes of an earlier time: the card of this machine of {}, which a "
      "spot "
      "check of the run agreed with.</p>\n",
      count, escape(fmt::format("{}", fmt::join(dates, ", "))));
}

/// Counts of records by status, the devices, and whether a run is unfinished.
std::string summary(const ReportData& data) {
  std::size_t ok = 0, failed = 0, skipped = 0, synthetic = 0;
  std::set<std::string> devices;
  for (const Entry& entry : data.entries) {
    switch (entry.record.status) {
      case results::Status::ok:
        ++ok;
        break;
      case results::Status::failed:
        ++failed;
        break;
      case results::Status::skipped:
        ++skipped;
        break;
    }
    synthetic += entry.record.synthetic ? 1 : 0;
    devices.insert(entry.device_name);
  }
  std::string out = fmt::format(
      "<p class=\"counts\"><span class=\"ok\">{} ok</span> <span class=\"{}\">{} failed</span> "
      "<span class=\"skipped\">{} skipped</span> <span>{}</span></p>\n",
      ok, failed > 0 ? "failed" : "skipped", failed, skipped,
      escape(fmt::format("{}", fmt::join(devices, " · "))));
  if (synthetic > 0)
    out += fmt::format(
        "<p class=\"note\">{} records searched a synthetic reference: a generated BWT, marked in tables and "
        "plots.</p>\n",
        synthetic);
  out += refuted_html(data) + cards_html(data);
  for (const Run& run : data.runs) {
    if (run.summary.is_null())
      out +=
          fmt::format("<p class=\"warning\">Run {} has no run.json: no machine card, knees or winners.</p>\n",
                      escape(run.name));
    else if (run.summary.contains("complete") && run.summary["complete"] == false)
      out += fmt::format("<p class=\"warning\">Run {} is not complete: it was interrupted, or goes on.</p>\n",
                         escape(run.name));
  }
  return out;
}

std::string figure_html(const PageFigure& drawn, std::size_t number, bool with_scripts) {
  const Figure& figure = *drawn.figure;
  const std::string id = figure.file_stem();
  // Vega draws the title; this one is for those who do not see the plot.
  std::string out =
      fmt::format("<figure id=\"{}\">\n<h4 class=\"unseen\">{}</h4>\n", escape(id), escape(figure.title));
  if (with_scripts)
    out += fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><div class=\"plot\" "
        "data-spec=\"spec-{}\"></div></div>\n"
        "<script type=\"application/json\" id=\"spec-{}\">{}</script>\n",
        escape(figure.title), number, number, drawn.spec);
  return out + fmt::format("<figcaption>{}</figcaption>\n</figure>\n", escape(figure.caption));
}

/// Links to the figures of one family, where there is more than one.
std::string figure_links(const Page& page, const std::string& family) {
  std::string links;
  std::size_t count = 0;
  for (const PageFigure& drawn : page.figures)
    if (!drawn.spec.empty() && drawn.figure->family == family && ++count > 0)
      links += fmt::format("<a href=\"#{}\">{}</a> ", escape(drawn.figure->file_stem()),
                           escape(drawn.figure->title));
  return count < 2 ? ""
                   : fmt::format("<nav class=\"figure-links\" aria-label=\"Figures: {}\">{}</nav>\n",
                                 escape(family), links);
}

std::string figures_html(const Page& page) {
  const bool with_scripts = page.vega_scripts.value.has_value();
  std::string out;
  if (!with_scripts)
    out += fmt::format(
        "<p class=\"warning\">The plots are not on this page: {}. To get them: <code>{}</code>, then write "
        "the report again. "
        "The files under plots/ can be opened with any Vega-Lite tool.</p>\n",
        escape(page.vega_scripts.reason), escape(kHowToGetRenderer));
  std::string family;
  std::size_t number = 0;
  html::Table missing{.caption = "Figures without data", .columns = {"Figure", "Title", "Reason"}};
  for (const PageFigure& drawn : page.figures) {
    if (drawn.spec.empty()) {
      missing.rows.push_back({{drawn.figure->name}, {drawn.figure->title}, {drawn.reason}});
      continue;
    }
    if (drawn.figure->family != family) {
      family = drawn.figure->family;
      out += fmt::format("<h3>{}</h3>\n{}", escape(family), figure_links(page, family));
    }
    out += figure_html(drawn, number++, with_scripts);
  }
  if (!missing.rows.empty()) out += "<h3>Not drawn</h3>\n" + missing.to_string();
  return out;
}

/// A section with a heading, or nothing.
std::string section(std::string_view id, std::string_view title, const std::string& body,
                    std::string_view otherwise = "") {
  if (body.empty() && otherwise.empty()) return "";
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n", id,
      title, body.empty() ? fmt::format("<p class=\"muted\">{}</p>\n", otherwise) : body);
}

constexpr std::string_view kNavigation =
    "<nav class=\"sections\" aria-label=\"Sections\"><a href=\"#machines\">Machines</a> "
    "<a href=\"#winners\">Winners</a> <a href=\"#knees\">Knees</a> <a href=\"#failures\">Failures</a> "
    "<a href=\"#figures\">Figures</a> <a href=\"#records\">Records</a> "
    "<a href=\"#provenance\">Provenance</a></nav>\n";

/// The part that the filter governs. Scripts fill its bar and table.
std::string explore_html(const Page& page) {
  // The colours that plots are drawn in: scripts put the page's own in their place.
  std::string out = fmt::format(
      "<div id=\"explore\" data-ink=\"{}\" data-muted=\"{}\" data-paper=\"{}\">\n"
      "<div id=\"filter-bar\"></div>\n",
      chart::kInk, chart::kMuted, chart::kPaper);
  out +=
      "<noscript><p class=\"warning\">The plots, the table of records and their filter need JavaScript. "
      "Without it: records.jsonl and plots/ beside this page hold the same.</p></noscript>\n";
  out += section("figures", "Figures", figures_html(page));
  out += section("records", "Records", "<div id=\"record-table\"></div>\n");
  return out + "</div>\n";
}

/// Data and scripts in the order in which a reader misses them: the table, the plots, single records.
void write_scripts(std::ostream& out, const Page& page) {
  write_record_columns(out, page.data);
  if (page.vega_scripts.value) out << "<script>" << *page.vega_scripts.value << "</script>\n";
  for (const std::string_view script :
       {embedded_elements_js(), embedded_records_js(), embedded_filter_js(), embedded_filter_bar_js(),
        embedded_sortable_js(), embedded_columns_js(), embedded_record_table_js(), embedded_exports_js(),
        embedded_samples_js(), embedded_record_view_js(), embedded_plots_js(), embedded_page_js()})
    out << "<script>\n" << script << "</script>\n";
  write_record_details(out, page.data);
}

}  // namespace

void write_page(std::ostream& out, const Page& page) {
  const std::string title = escape(title_of(page.data));
  out << fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<link rel=\"icon\" "
      "href=\"data:,\">\n<style>\n{}{}</style>\n</head>\n<body>\n",
      kContentPolicy, title, embedded_page_css(), embedded_tables_css());
  out << fmt::format(
      "<a class=\"skip\" href=\"#records\">Skip to the "
      "records</a>\n<header><h1>{}</h1>\n{}{}</header>\n<main>\n",
      title, summary(page.data), kNavigation);
  out << section("machines", "Machines", machine_cards::machines(page.data), "No machine is described.");
  out << section("winners", "Winners", page_tables::winners(page.data),
                 "No tuning result: the run tuned nothing, or did not get there.");
  out << section("knees", "Knees", page_tables::knees(page.data),
                 "No knee found, or no probe ran over enough footprints.");
  out << section("failures", "Failures and skipped states", page_tables::failures(page.data),
                 "None: every state has a number.");
  out << explore_html(page);
  out << section("published", "Published values", page_tables::published(page.published));
  out << section("provenance", "Provenance", machine_cards::provenance(page.data));
  out << "</main>\n";
  write_scripts(out, page);
  out << "</body>\n</html>\n";
}

}  // namespace gpuseq::reports
