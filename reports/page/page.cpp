#include "reports/page/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "reports/charts/chart.hpp"
#include "reports/page/html.hpp"
#include "reports/page/machine_cards.hpp"
#include "reports/page/page_figures.hpp"
#include "reports/page/page_headlines.hpp"
#include "reports/page/page_records.hpp"
#include "reports/page/page_tables.hpp"
#include "reports/page/winners.hpp"
#include "runtime/io/embedded.hpp"
#include "runtime/io/program_name.hpp"

GPUSEQ_EMBEDDED(page_css)
GPUSEQ_EMBEDDED(sections_css)
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
GPUSEQ_EMBEDDED(plot_width_js)
GPUSEQ_EMBEDDED(plots_js)
GPUSEQ_EMBEDDED(parts_js)
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

/// Counts of records by status and the devices.
std::string counts_html(const ReportData& data) {
  std::map<results::Status, std::size_t> counts;
  std::set<std::string> devices;
  for (const Entry& entry : data.entries) {
    ++counts[entry.record.status];
    devices.insert(entry.device_name);
  }
  const auto linked = [](std::size_t count, std::string_view word) {
    const std::string text = fmt::format("{} {}", count, word);
    return count == 0 ? fmt::format("<span class=\"muted\">{}</span>", text)
                      : fmt::format("<a class=\"{}\" href=\"#failures\">{}</a>", word, text);
  };
  return fmt::format("<p class=\"counts\"><span class=\"ok\">{} ok</span> {} {} <span>{}</span></p>\n",
                     counts[results::Status::ok], linked(counts[results::Status::failed], "failed"),
                     linked(counts[results::Status::skipped], "skipped"),
                     escape(fmt::format("{}", fmt::join(devices, " · "))));
}

/// What a reader must know before any number: runs that are not whole.
std::string warnings_html(const ReportData& data) {
  std::string out;
  for (const std::string& warning : data.warnings)
    out += fmt::format("<p class=\"warning\">{}</p>\n", escape(warning));
  for (const Run& run : data.runs) {
    if (run.summary.is_null())
      out += fmt::format(
          "<p class=\"warning\">Run {} has no run.json: no machine profile, levels of memory or "
          "winners.</p>\n",
          escape(run.name));
    else if (run.summary.contains("complete") && run.summary["complete"] == false)
      out += fmt::format("<p class=\"warning\">Run {} is not complete: it was interrupted, or goes on.</p>\n",
                         escape(run.name));
  }
  return out;
}

struct Section {
  std::string_view id, title;
  std::string body;  // empty: the page has no such section
};

std::string section_html(const Section& section) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n",
      section.id, section.title, section.body);
}

/// What is closed until somebody asks for it.
std::string fold_html(std::string_view id, std::string_view title, const std::string& body) {
  if (body.empty()) return "";
  return fmt::format("<details class=\"fold\" id=\"{}\"><summary>{}</summary>\n{}</details>\n", id, title,
                     body);
}

std::string folds_html(const Page& page, PlotWriter& plots) {
  const ReportData& data = page.data;
  return fold_html("records", "All records", "<div id=\"record-table\"></div>\n") +
         fold_html("fits", "Knees: where levels of memory end", figures_html(page, PagePart::fits, plots)) +
         fold_html("heat-maps", "Heat maps", figures_html(page, PagePart::heat_maps, plots)) +
         fold_html("failures", "Failed and skipped states", page_tables::failures(data)) +
         fold_html("not-drawn", "What was not drawn", not_drawn_html(page)) +
         fold_html("provenance", "Provenance", machine_cards::provenance(data));
}

/// Figures with published values, and these as a table.
std::string reproductions(const Page& page, PlotWriter& plots) {
  return figures_html(page, PagePart::reproductions, plots) +
         fold_html("published", "Published values", page_tables::published(page.published));
}

/// What the filter governs, in the order in which a reader asks.
std::vector<Section> filtered_sections(const Page& page) {
  PlotWriter plots(page.vega_scripts.value.has_value());
  const auto figures = [&](PagePart part) { return figures_html(page, part, plots); };
  std::vector<Section> sections{{"memory", "Rate over memory", figures(PagePart::rate_over_bytes)},
                                {"machines", "Devices", machine_cards::machines(page.data, plots)},
                                {"compared", "Devices compared", figures(PagePart::devices_compared)},
                                {"winners", "Winners", winners_html(page.data, page.exec)},
                                {"figures", "Figures", figures(PagePart::families)},
                                {"reproductions", "Reproductions of papers", reproductions(page, plots)},
                                {"more", "Everything else", folds_html(page, plots)}};
  std::erase_if(sections, [](const Section& section) { return section.body.empty(); });
  return sections;
}

std::string contents_html(const std::vector<Section>& sections) {
  std::string links = "<a href=\"#headlines\">Headlines</a>";
  for (const Section& section : sections)
    links += fmt::format(" <a href=\"#{}\">{}</a>", section.id, section.title);
  return fmt::format("<nav class=\"sections\" aria-label=\"Contents\">{}</nav>\n", links);
}

/// The part that the filter governs. Scripts fill its bar and table.
std::string explore_html(const Page& page, const std::vector<Section>& sections) {
  // The colours that plots are drawn in: scripts put the page's own in their place.
  std::string out = fmt::format(
      "<div id=\"explore\" data-ink=\"{}\" data-muted=\"{}\" data-paper=\"{}\">\n"
      "<div id=\"filter-bar\"></div>\n",
      chart::kInk, chart::kMuted, chart::kPaper);
  out +=
      "<noscript><p class=\"warning\">The plots, the table of records and their filter need JavaScript. "
      "Without it: records.jsonl and plots/ beside this page hold the same.</p></noscript>\n" +
      no_plots_html(page);
  for (const Section& section : sections) out += section_html(section);
  return out + "</div>\n";
}

/// Data and scripts in the order in which a reader misses them: the table, the plots, single records.
void write_scripts(std::ostream& out, const Page& page) {
  write_record_columns(out, page.data);
  if (page.vega_scripts.value) out << "<script>" << *page.vega_scripts.value << "</script>\n";
  for (const std::string_view script :
       {embedded_elements_js(), embedded_records_js(), embedded_filter_js(), embedded_filter_bar_js(),
        embedded_sortable_js(), embedded_columns_js(), embedded_record_table_js(), embedded_exports_js(),
        embedded_samples_js(), embedded_record_view_js(), embedded_plot_width_js(), embedded_plots_js(),
        embedded_parts_js(), embedded_page_js()})
    out << "<script>\n" << script << "</script>\n";
  write_record_details(out, page.data);
}

}  // namespace

void write_page(std::ostream& out, const Page& page) {
  const std::string title = escape(title_of(page.data));
  const std::vector<Section> sections = filtered_sections(page);
  out << fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<link rel=\"icon\" "
      "href=\"data:,\">\n<style>\n{}{}{}</style>\n</head>\n<body>\n",
      kContentPolicy, title, embedded_page_css(), embedded_sections_css(), embedded_tables_css());
  out << fmt::format(
      "<a class=\"skip\" href=\"#records\">Skip to the "
      "records</a>\n<header><h1>{}</h1>\n{}{}{}</header>\n<main>\n",
      title, counts_html(page.data), warnings_html(page.data), contents_html(sections));
  out << section_html({"headlines", "Headlines", headlines_html(page.data)});
  out << explore_html(page, sections);
  out << "</main>\n";
  write_scripts(out, page);
  out << "</body>\n</html>\n";
}

}  // namespace gpuseq::reports
