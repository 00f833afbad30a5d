#include "reports/figures/fm_index/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace gpuseq::reports::fm_index {

Drawing rate_lines(const Figure& figure, const ReportData& data, const Published& published, FmCurves curves,
                   chart::Quantity x, const char* series_title, std::vector<std::string> notes,
                   const char* need) {
  if (curves.panels.empty()) return not_drawn(why_none(data, "fm_index", need));
  chart::LineChart chart{.x = std::move(x),
                         .y = {.title = "query bases per second", .unit = Unit::bases_per_s},
                         .series_title = series_title};
  chart.panels = std::move(curves.panels);
  chart.series = natural_order({curves.series.begin(), curves.series.end()});
  add_guides(figure, published, chart, notes);
  chart.heading = heading(figure, data, curves.used, std::move(notes));
  return drawn(std::move(chart));
}

namespace {

/// "30 to ", of mixed lengths; of others, and of an axis that a record lacks, nothing.
std::string shortest_words(const Point& problem, double longest) {
  const double shortest = number(problem, "shortest_query_bases").value_or(0);
  return shortest > 0 && shortest < longest ? fmt::format("{} to ", shortest) : "";
}

/// ": queries of 100 bases, 50 % occur, random"; of axes that a record lacks nothing.
std::string queries_words(const Point& problem) {
  std::string words;
  const double kmer_bases = number(problem, "kmer_bases").value_or(0);
  if (kmer_bases > 0) words += fmt::format(": {}-mers", kmer_bases);
  if (const auto bases = number(problem, "query_bases"); bases && *bases > 0)
    words += fmt::format("{} of {}{} bases", kmer_bases > 0 ? " of reads" : ": queries",
                         shortest_words(problem, *bases), *bases);
  if (const auto percent = number(problem, "occurring_percent"); percent && *percent < 100)
    words += fmt::format(", {} % occur", *percent);
  if (const auto percent = number(problem, "n_percent"); percent && *percent > 0)
    words += fmt::format(", {} % with N", *percent);
  if (const std::string reference = word(problem, "reference");
      !reference.empty() && reference != "synthetic")
    words += ", " + reference;
  if (const auto strains = number(problem, "strains"); strains && *strains > 1)
    words += fmt::format(", {} strains with {} mutations of 1000 bases", *strains,
                         number(problem, "mutations_per_1000").value_or(0));
  return words;
}

/// ", by_rows", or nothing of queries that are searched as they are given.
std::string order_words(const Point& problem) {
  const std::string order = word(problem, "query_order");
  return order.empty() || order == "as_given" ? "" : ", " + order;
}

}  // namespace

std::string queries_title(const Entry& entry) {
  return entry.device_name + queries_words(entry.record.state.problem);
}

std::map<std::string, std::vector<const Entry*>> by_device_and_queries(const ReportData& data) {
  std::map<std::string, std::vector<const Entry*>> groups;
  for (const Entry* entry : data.settled("fm_index"))
    if (reference_bases(entry->record))
      groups[with_point_words(queries_title(*entry) + order_words(entry->record.state.problem), *entry)]
          .push_back(entry);
  return groups;
}

void keep_leaders(FastestByPanel& panels) {
  std::map<std::string, double> closeness;
  for (const auto& [title, fastest] : panels) {
    std::map<double, double> best_at;
    for (const auto& [key, entry] : fastest)
      best_at[key.second] = std::max(best_at[key.second], entry->record.statistics->rate);
    for (const auto& [key, entry] : fastest)
      closeness[key.first] =
          std::max(closeness[key.first], entry->record.statistics->rate / best_at[key.second]);
  }
  std::vector<std::string> names;
  names.reserve(closeness.size());
  for (const auto& [name, unused] : closeness) names.push_back(name);
  std::stable_sort(names.begin(), names.end(),
                   [&](const auto& a, const auto& b) { return closeness[a] > closeness[b]; });
  if (names.size() <= chart::kMostSeries) return;
  const std::set<std::string> dropped(names.begin() + chart::kMostSeries, names.end());
  for (auto& [title, fastest] : panels)
    std::erase_if(fastest, [&](const auto& item) { return dropped.contains(item.first.first); });
}

chart::Quantity reference_axis() {
  return {.title = "reference size (bases)", .unit = Unit::number_si, .log = true};
}

}  // namespace gpuseq::reports::fm_index
