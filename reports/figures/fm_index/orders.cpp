#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/figures/fm_index/curves.hpp"
#include "reports/figures/fm_index/figures.hpp"

namespace gpuseq::reports::fm_index {
namespace {

constexpr const char *kSearch = "search", *kSortAndSearch = "sort and search";

/// Seconds that putting the queries in order took; 0 where they stayed as they are given.
double sort_s(const results::Record& record) {
  const auto found = record.side_samples_s.find("sort");
  return found == record.side_samples_s.end() || found->second.empty() ? 0 : found->second.front();
}

/// Empty where the device did not sort, in what was timed.
std::string device_order(const Entry& entry) {
  const std::string order = word(entry.record.state.point, "device_order");
  return order == "as_given" ? "" : order;
}

/// "sorted", "as_given, sorted on the device"; empty of records that say nothing of an order, and of those
/// that were sorted twice.
std::string order_of(const Entry& entry) {
  const std::string order = word(entry.record.state.problem, "query_order"), again = device_order(entry);
  if (order.empty() || again.empty()) return order;
  return order == "as_given" ? order + ", " + again + " on the device" : "";
}

/// The rate of a user who has to sort first.
Rate with_sorting(const Entry& entry, Rate rate) {
  const double work = entry.record.work.amount, sorting = sort_s(entry.record);
  for (double* one : {&rate.value, &rate.low, &rate.high})
    if (*one > 0) *one = work / (work / *one + sorting);
  return rate;
}

/// Of a variant with a k on a device and one kind of queries: (order, reference) -> its fastest point.
using FastestOfOrder = std::map<std::pair<std::string, double>, const Entry*>;

std::map<std::string, FastestOfOrder> panels_of(const ReportData& data) {
  std::map<std::string, FastestOfOrder> panels;
  for (const Entry* entry : data.settled("fm_index")) {
    const std::string order = order_of(*entry);
    const auto bases = reference_bases(entry->record);
    if (order.empty() || !bases) continue;
    // An order may make another k the fastest, which is no gain of the order.
    const std::string title =
        fmt::format("{}, {} of k={:.0f}", queries_title(*entry), entry->record.state.variant,
                    number(entry->record.state.point, "k").value_or(0));
    keep_fastest(panels[with_point_words(title, *entry)], {order, *bases}, entry);
  }
  std::erase_if(panels, [](const auto& panel) {
    std::set<std::string> orders;
    for (const auto& [key, entry] : panel.second) orders.insert(key.first);
    return orders.size() < 2;
  });
  return panels;
}

chart::Mark mark_of(const ReportData& data, const Entry& entry, double bases, const char* timed) {
  const Rate launched = rate_of(entry);
  const Rate rate = timed == kSearch ? launched : with_sorting(entry, launched);
  chart::Mark mark{.x = bases,
                   .y = rate.value,
                   .low = rate.low,
                   .high = rate.high,
                   .series = order_of(entry),
                   .dash = timed,
                   .synthetic = is_synthetic(entry),
                   .record = data.index_of(entry),
                   .tips = tips_of(entry, rate, Unit::bases_per_s),
                   .terms = {{"timed", timed}}};
  if (const double sorting = sort_s(entry.record); sorting > 0)
    mark.tips.emplace_back("Sorting", format_value(sorting, Unit::seconds));
  return mark;
}

// Whether it pays to sort queries before they are searched.
Drawing draw_orders(const Figure& figure, const ReportData& data, const Published&) {
  chart::LineChart chart{.x = reference_axis(),
                         .y = {.title = "query bases per second", .unit = Unit::bases_per_s, .log = true},
                         .series_title = "order of queries",
                         .dash_title = "timed",
                         .dashes = {kSearch, kSortAndSearch}};
  std::vector<const Entry*> used;
  std::set<std::string> orders;
  const auto panels = panels_of(data);
  for (const auto& [title, fastest] : panels) {
    if (chart.panels.size() == kMostPanels) break;
    chart::Panel panel{.title = title};
    for (const auto& [key, entry] : fastest) {
      const bool sorts = !device_order(*entry).empty();
      panel.marks.push_back(mark_of(data, *entry, key.second, sorts ? kSortAndSearch : kSearch));
      if (sort_s(entry->record) > 0) panel.marks.push_back(mark_of(data, *entry, key.second, kSortAndSearch));
      used.push_back(entry);
      orders.insert(key.first);
    }
    chart.panels.push_back(std::move(panel));
  }
  if (used.empty()) return not_drawn(why_none(data, "fm_index", "a counterpart of another query_order"));
  chart.series.assign(orders.begin(), orders.end());
  std::vector<std::string> notes{
      "The fastest point of a variant and k with each order. Sorting is done by the host, with all its "
      "threads."};
  if (std::ranges::any_of(used, [](const Entry* entry) { return !device_order(*entry).empty(); }))
    notes.emplace_back("What is sorted on the device is so in each launch, before it is searched.");
  note_left_out(chart.panels.size(), panels.size(), "panels", notes);
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure orders() {
  return {"fm-index/orders", "Order of queries", kHeading,
          "Where sorting the queries first makes their search faster, and where that pays for the sorting.",
          draw_orders};
}

}  // namespace gpuseq::reports::fm_index
