#include "reports/page/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "reports/chart.hpp"
#include "reports/page/html.hpp"
#include "reports/page/page_tables.hpp"
#include "reports/renderer.hpp"
#include "runtime/embedded.hpp"

GPUSEQ_EMBEDDED(page_css)
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
  return fmt::format("gpuseq-bench: {}", fmt::join(names, ", "));
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
  std::string out = fmt::format("<p>{} ok, {} failed, {} skipped on {}.</p>\n", ok, failed, skipped,
                                escape(fmt::format("{}", fmt::join(devices, "; "))));
  if (synthetic > 0)
    out += fmt::format(
        "<p>{} records searched a synthetic reference: a generated BWT, marked in tables and plots.</p>\n",
        synthetic);
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
  std::string out = fmt::format("<figure id=\"{}\">\n<h3>{}</h3>\n", escape(id), escape(figure.title));
  if (with_scripts)
    out += fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><div class=\"plot\" "
        "data-spec=\"spec-{}\"></div></div>\n"
        "<script type=\"application/json\" id=\"spec-{}\">{}</script>\n",
        escape(figure.title), number, number, html::script_json(chart::for_page(*drawn.drawing.spec)));
  out +=
      fmt::format("<figcaption>{} <a href=\"plots/{}.vl.json\">Vega-Lite file</a></figcaption>\n</figure>\n",
                  escape(figure.caption), escape(id));
  return out;
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
    if (!drawn.drawing.spec) {
      missing.rows.push_back({{drawn.figure->name}, {drawn.figure->title}, {drawn.drawing.reason}});
      continue;
    }
    if (drawn.figure->family != family) {
      family = drawn.figure->family;
      out += fmt::format("<h2>{}</h2>\n", escape(family));
    }
    out += figure_html(drawn, number++, with_scripts);
  }
  if (!missing.rows.empty()) out += "<h2>Not drawn</h2>\n" + missing.to_string();
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
    "<nav aria-label=\"Sections\"><a href=\"#winners\">Winners</a> <a href=\"#knees\">Knees</a> <a "
    "href=\"#figures\">Figures</a> "
    "<a href=\"#failures\">Failures</a> <a href=\"#records\">Records</a> <a href=\"#machines\">Machines</a> "
    "<a href=\"#provenance\">Provenance</a></nav>\n";

}  // namespace

std::string page_html(const Page& page) {
  const std::string title = escape(title_of(page.data));
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<link rel=\"icon\" "
      "href=\"data:,\">\n<style>\n{}</style>\n</head>\n<body>\n",
      kContentPolicy, title, embedded_page_css());
  out += fmt::format("<header><h1>{}</h1>\n{}{}</header>\n<main>\n", title, summary(page.data), kNavigation);
  out += section("winners", "Winners", page_tables::winners(page.data),
                 "No tuning result: the run tuned nothing, or did not get there.");
  out += section("knees", "Knees", page_tables::knees(page.data),
                 "No knee found, or no probe ran over enough footprints.");
  out += fmt::format("<section id=\"figures\" aria-label=\"Figures\">\n{}</section>\n", figures_html(page));
  out += section("failures", "Failures and skipped states", page_tables::failures(page.data), "None.");
  out += section("records", "Records", page_tables::records(page.data), "None.");
  out += section("machines", "Machines", page_tables::machines(page.data), "No machine is described.");
  out += section("published", "Published values", page_tables::published(page.published));
  out += section("provenance", "Provenance", page_tables::provenance(page.data));
  out += "</main>\n";
  if (page.vega_scripts.value) out += fmt::format("<script>{}</script>\n", *page.vega_scripts.value);
  out += fmt::format("<script>\n{}</script>\n</body>\n</html>\n", embedded_page_js());
  return out;
}

}  // namespace gpuseq::reports
