#include "reports/page/page_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "reports/figures/probes/figures.hpp"
#include "reports/figures/suite/figures.hpp"
#include "reports/page/html.hpp"
#include "reports/renderer.hpp"

namespace gpuseq::reports {
namespace {

using html::escape;

/// Figures that do not stand with their families.
constexpr std::array kParts{
    std::pair{std::string_view("fm-index/memory"), PagePart::rate_over_bytes},
    std::pair{std::string_view("suite/devices"), PagePart::devices_compared},
    std::pair{std::string_view("suite/same-states"), PagePart::devices_compared},
    std::pair{std::string_view("suite/surface"), PagePart::heat_maps},
    std::pair{std::string_view("probes/knees"), PagePart::fits},
};

/// Notes one after another, each a sentence.
std::string sentences(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) {
    text += (text.empty() ? "" : " ") + note;
    if (!note.ends_with('.') && !note.ends_with(':')) text += '.';
  }
  return text;
}

/// @param level  of its heading
std::string figure_html(const PageFigure& drawn, int level, PlotWriter& plots) {
  const Figure& figure = *drawn.figure;
  return fmt::format(
      "<figure id=\"{}\">\n<h{}>{}</h{}>\n<p "
      "class=\"note\">{}</p>\n{}<figcaption>{}</figcaption>\n</figure>\n",
      escape(figure.file_stem()), level, escape(figure.title), level, escape(sentences(drawn.notes)),
      plots.plot(figure.title, drawn.spec), escape(figure.caption));
}

/// Links to figures, where there is more than one.
std::string links_html(const std::string& family, const std::vector<const PageFigure*>& figures) {
  if (figures.size() < 2) return "";
  std::string links;
  for (const PageFigure* drawn : figures)
    links += fmt::format("<a href=\"#{}\">{}</a> ", escape(drawn->figure->file_stem()),
                         escape(drawn->figure->title));
  return fmt::format("<nav class=\"figure-links\" aria-label=\"Figures: {}\">{}</nav>\n", escape(family),
                     links);
}

/// What is of all families, and of the machine, comes after the families.
int rank_of(const Figure& figure) {
  const auto is_among = [&](const std::vector<Figure>& figures) {
    return std::ranges::find(figures, figure.name, &Figure::name) != figures.end();
  };
  return is_among(probe_figures()) ? 2 : is_among(suite_figures()) ? 1 : 0;
}

std::string heading_of(const std::string& family) {
  return family == suite::kHeading ? "All families" : family;
}

}  // namespace

std::string PlotWriter::plot(std::string_view label, std::string_view spec, Filtering filtering) {
  if (!with_scripts_) return "";
  const std::size_t number = count_++;
  return fmt::format(
      "<div class=\"plot\" role=\"group\" aria-label=\"{}\" data-spec=\"spec-{}\"{}></div>\n"
      "<script type=\"application/json\" id=\"spec-{}\">{}</script>\n",
      escape(label), number, filtering == Filtering::none ? " data-unfiltered" : "", number, spec);
}

PagePart part_of(const Figure& figure, const Published& published) {
  for (const auto& [name, part] : kParts)
    if (figure.name == name) return part;
  const bool reproduced = std::ranges::any_of(
      published.facts, [&](const Fact& fact) { return fact.figure == figure.name && fact.kind != "listed"; });
  return reproduced ? PagePart::reproductions : PagePart::families;
}

std::string figures_html(const Page& page, PagePart part, PlotWriter& plots) {
  std::vector<std::pair<std::string, std::vector<const PageFigure*>>> families;
  for (const PageFigure& drawn : page.figures) {
    if (drawn.spec.empty() || part_of(*drawn.figure, page.published) != part) continue;
    const std::string& family = drawn.figure->family;
    auto found = std::ranges::find(families, family, [](const auto& known) { return known.first; });
    if (found == families.end()) found = families.insert(found, {family, {}});
    found->second.push_back(&drawn);
  }
  std::ranges::stable_sort(families, {}, [](const auto& of) { return rank_of(*of.second.front()->figure); });
  const bool with_headings = part == PagePart::families || part == PagePart::reproductions;
  std::string out;
  for (const auto& [family, figures] : families) {
    if (with_headings)
      out += fmt::format("<h3>{}</h3>\n{}", escape(heading_of(family)), links_html(family, figures));
    for (const PageFigure* drawn : figures) out += figure_html(*drawn, with_headings ? 4 : 3, plots);
  }
  return out;
}

std::string not_drawn_html(const Page& page) {
  html::Table missing{.caption = "Figures that these records cannot draw",
                      .columns = {"Figure", "Title", "Reason"}};
  for (const PageFigure& drawn : page.figures)
    if (drawn.spec.empty())
      missing.rows.push_back({{drawn.figure->name}, {drawn.figure->title}, {drawn.reason}});
  return missing.rows.empty() ? "" : missing.to_string();
}

std::string no_plots_html(const Page& page) {
  if (page.vega_scripts.value) return "";
  return fmt::format(
      "<p class=\"warning\">The plots are not on this page: {}. To get them: <code>{}</code>, then write "
      "the report again. The files under plots/ can be opened with any Vega-Lite tool.</p>\n",
      escape(page.vega_scripts.reason), escape(kHowToGetRenderer));
}

}  // namespace gpuseq::reports
