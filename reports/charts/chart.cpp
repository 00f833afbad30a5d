#include "reports/charts/chart.hpp"

namespace gpuseq::reports::chart {
namespace {

void replace_colors(Json& value) {
  if (value.is_object()) {
    // Data and words stay as they are: only what decides the looks changes.
    for (auto& [key, item] : value.items())
      if (key != "data" && key != "text" && key != "description") replace_colors(item);
  } else if (value.is_array()) {
    for (Json& item : value) replace_colors(item);
  } else if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text == kInk || text == kMuted)
      value = "currentColor";
    else if (text == kPaper)
      value = "transparent";
  }
}

}  // namespace

Json draw(const Chart& chart, const Style& style) {
  return std::visit([&](const auto& kind) { return draw(kind, style); }, chart);
}

const Quantity& y_of(const LineChart& chart, const Panel& panel) {
  return panel.y ? *panel.y : chart.y;
}

std::vector<Guide> guides_of(const LineChart& chart, const Panel& panel) {
  std::vector<Guide> guides = panel.guides;
  if (panel.guided) guides.insert(guides.begin(), chart.guides.begin(), chart.guides.end());
  return guides;
}

const Heading& heading_of(const Chart& chart) {
  return std::visit([](const auto& kind) -> const Heading& { return kind.heading; }, chart);
}

std::size_t panels_of(const Chart& chart) {
  return std::visit([](const auto& kind) { return kind.panels.size(); }, chart);
}

std::vector<std::string> notes_of(const Chart& chart) {
  std::vector<std::string> notes = heading_of(chart).notes;
  std::visit(
      [&](const auto& kind) {
        if (kind.panels.size() == 1 && !kind.panels.front().title.empty())
          notes.insert(notes.begin(), kind.panels.front().title);
      },
      chart);
  return notes;
}

Json for_page(Json spec) {
  replace_colors(spec);
  spec.erase("$schema");  // the page's scripts would remark on a version other than their own
  return spec;
}

}  // namespace gpuseq::reports::chart
