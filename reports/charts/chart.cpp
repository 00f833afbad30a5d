#include "reports/charts/chart.hpp"

namespace gpuseq::reports::chart {
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

}  // namespace gpuseq::reports::chart
