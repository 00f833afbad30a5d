#include "reports/variant_rows.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "reports/figures/data_sets.hpp"

namespace gpuseq::reports {
namespace {

chart::RowMark mark_of(const VariantRows& rows, const ReportData& data, const Pool& pool) {
  const Entry& entry = pool.typical();
  const Rate& value = pool.rate();
  return {.row = rows.row(entry),
          .value = value.value,
          .low = value.low,
          .high = value.high,
          .series = entry.device_name,
          .label = format_value(value.value, rows.quantity.unit) + rows.label_unit,
          .detail = rows.detail ? rows.detail(entry) : "",
          .hollow = is_peer(entry),
          .record = data.index_of(entry),
          .tips = pool.tips(rows.quantity.unit)};
}

/// What is published of this problem.
std::vector<chart::RowMark> stated(const VariantRows& rows, const std::vector<const Fact*>& facts,
                                   const Entry& entry, const std::string& series) {
  std::vector<chart::RowMark> marks;
  for (const Fact* fact : facts)
    if (rows.stated_of && rows.stated_of(*fact, entry))
      marks.push_back({.row = fact->label + ", " + fact->device,
                       .value = fact->value,
                       .low = fact->value,
                       .high = fact->value,
                       .series = series,
                       .label = format_value(fact->value, rows.quantity.unit) + rows.label_unit,
                       .hollow = true,
                       .tips = tips_of(*fact, rows.quantity.unit)});
  return marks;
}

/// By order, and then by name: a run may have several problems of one size. Data sets made alike are one.
using Problems =
    std::map<std::pair<std::pair<double, double>, std::string>, std::map<std::string, Candidates>>;

std::pair<double, double> order_of(const VariantRows& rows, const Entry& entry) {
  return rows.order ? rows.order(entry) : std::pair(entry.record.work.amount, 0.0);
}

Problems problems_of(const VariantRows& rows, const ReportData& data) {
  Problems problems;
  for (const Entry* entry : data.settled(rows.family, rows.contestants))
    problems[{order_of(rows, *entry), problem_of_alike(*entry)}][entry->device_name + rows.row(*entry)].add(
        entry);
  return problems;
}

}  // namespace

std::string variant_row(const Entry& entry) {
  std::string row = contestant(entry);
  if (on_gpu(entry)) return row;
  if (const std::string target = axis_text(entry, "target"); !target.empty()) row += ", " + target;
  const std::string threads = axis_text(entry, "threads");
  if (is_peer(entry) && !threads.empty()) return row;
  return row + ", " + thread_words(threads.empty() ? "1" : threads);
}

std::string ceiling_share(const Entry& entry) {
  const auto& ceiling = entry.record.ceiling;
  return ceiling.value ? fmt::format("{:.0f} % of its ceiling", 100 * ceiling.value->fraction) : "";
}

Drawing by_variant(const VariantRows& rows, const Figure& figure, const ReportData& data,
                   const Published& published) {
  const Problems problems = problems_of(rows, data);
  if (problems.empty()) return not_drawn(why_none(data, rows.family, "a rate"));
  chart::RowChart chart{.value = rows.quantity, .series_title = "device"};
  const auto facts = published.find(figure.name, "value");
  const std::string theirs = fmt::format("published ({})", papers_of(facts));
  std::vector<const Entry*> used;
  std::vector<Pool> all_pools;
  std::set<std::string> series;
  bool with_theirs = false;
  for (const auto& [problem, candidates] : problems) {
    if (chart.panels.size() == kMostPanels) break;
    std::vector<Pool> pools;
    for (const auto& [row, of_row] : candidates) pools.emplace_back(of_row.fastest(), rows.value);
    const Entry& first = pools.front().typical();
    chart::RowPanel panel{.title = name_of_alike(first)};
    for (const Pool& pool : pools) {
      panel.marks.push_back(mark_of(rows, data, pool));
      series.insert(pool.typical().device_name);
      used.insert(used.end(), pool.records().begin(), pool.records().end());
    }
    declare_data_sets(pools, panel.marks);
    const auto published_marks = stated(rows, facts, first, theirs);
    with_theirs = with_theirs || !published_marks.empty();
    panel.marks.insert(panel.marks.end(), published_marks.begin(), published_marks.end());
    sort_rows(panel);
    all_pools.insert(all_pools.end(), pools.begin(), pools.end());
    chart.panels.push_back(std::move(panel));
  }
  chart.series.assign(series.begin(), series.end());
  std::vector<std::string> notes{"Each mark: the fastest point of its variant."};
  note_data_sets(all_pools, notes);
  if (problems.size() > chart.panels.size())
    notes.push_back(fmt::format("{} of {} problems.", chart.panels.size(), problems.size()));
  if (with_theirs) {
    chart.series.push_back(theirs);
    notes.push_back(fmt::format("Hollow: published, {}.", credit(facts)));
  }
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace gpuseq::reports
