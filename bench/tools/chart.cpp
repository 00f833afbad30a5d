#include "bench/tools/chart.hpp"

namespace gpuseq::bench::chart {
namespace {

using nlohmann::json;

json to_json(const Quantity& quantity) {
  return {{"title", quantity.title}, {"unit", unit_name(quantity.unit)}, {"log", quantity.log}};
}

json to_json(const Mark& mark) {
  return {{"x", mark.x}, {"y", mark.y}, {"series", mark.series}, {"tips", mark.tips}};
}

json to_json(const Panel& panel) {
  json marks = json::array();
  for (const Mark& mark : panel.marks) marks.push_back(to_json(mark));
  json object{{"title", panel.title}, {"marks", std::move(marks)}};
  if (panel.y) object["y"] = to_json(*panel.y);
  return object;
}

}  // namespace

json to_json(const LineChart& chart) {
  json guides = json::array(), panels = json::array();
  for (const Guide& guide : chart.guides)
    guides.push_back({{"vertical", guide.vertical}, {"at", guide.at}, {"label", guide.label}});
  for (const Panel& panel : chart.panels) panels.push_back(to_json(panel));
  return {{"heading",
           {{"title", chart.heading.title},
            {"notes", chart.heading.notes},
            {"description", chart.heading.description}}},
          {"x", to_json(chart.x)},
          {"y", to_json(chart.y)},
          {"series_title", chart.series_title},
          {"series", chart.series},
          {"guides", std::move(guides)},
          {"panels", std::move(panels)},
          {"connected", chart.connected}};
}

}  // namespace gpuseq::bench::chart
