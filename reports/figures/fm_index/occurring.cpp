#include <fmt/format.h>

#include <map>
#include <set>
#include <tuple>

#include "reports/figures/fm_index/figures.hpp"
#include "reports/figures/fm_index/rows.hpp"

namespace gpuseq::reports::fm_index {
namespace {

constexpr const char* kAxis = "occurring_percent";

std::string share_words(double percent) {
  return fmt::format("{} % occur", percent);
}

/// "psi_lines k=13, early exit": what a share is compared on. Lines, lanes and the like are the fastest of
/// it.
std::string row_of(const Entry& entry) {
  const results::StateKey& state = entry.record.state;
  std::string row = state.variant;
  if (const auto k = number(state.point, "k")) row += fmt::format(" k={:.0f}", *k);
  if (const std::string early = word(state.point, "early_exit"); !early.empty() && early != "none")
    row += ", early exit";
  return row;
}

/// A text with its queries on a device, whatever share of them occurs.
struct Text {
  std::string title = {};
  std::map<std::pair<std::string, double>, const Entry*> fastest = {};  // (row, percent) -> its fastest point
  std::set<double> percents = {};
};

std::vector<Text> texts_of(const ReportData& data) {
  std::map<std::tuple<std::string, std::string>, Text> texts;
  for (const Entry* entry : data.settled("fm_index")) {
    const Point& problem = entry->record.state.problem;
    const auto percent = number(problem, kAxis);
    if (!percent || word(problem, "queries") != "sampled") continue;
    Text& text = texts[{entry->device_name, without(problem, {kAxis})}];
    std::string name = problem_name(*entry);
    if (const std::size_t at = name.find(", " + share_words(*percent)); at != std::string::npos)
      name.erase(at, 2 + share_words(*percent).size());
    text.title = fmt::format("{}: {}", entry->device_name, name);
    text.percents.insert(*percent);
    keep_fastest(text.fastest, {row_of(*entry), *percent}, entry);
  }
  std::vector<Text> list;
  for (auto& [key, text] : texts)
    if (text.percents.size() > 1) list.push_back(std::move(text));
  return list;
}

// What queries that do not occur take.
Drawing draw_occurring(const Figure& figure, const ReportData& data, const Published&) {
  chart::RowChart chart{.value = {.title = "query bases per second", .unit = Unit::bases_per_s, .log = true},
                        .series_title = "queries"};
  std::vector<const Entry*> used;
  std::set<double> percents;
  const std::vector<Text> texts = texts_of(data);
  for (const Text& text : texts) {
    if (chart.panels.size() == kMostPanels) break;
    chart::RowPanel panel{.title = text.title};
    for (const auto& [key, entry] : text.fastest) {
      panel.marks.push_back(rate_mark(data, key.first, *entry));
      panel.marks.back().series = share_words(key.second);
      panel.marks.back().label.clear();  // shares of a row stand beside each other
      panel.marks.back().detail.clear();
      panel.marks.back().terms = {{"prefix table", "the fastest"}};
      used.push_back(entry);
    }
    percents.insert(text.percents.begin(), text.percents.end());
    sort_rows(panel);
    chart.panels.push_back(std::move(panel));
  }
  if (used.empty())
    return not_drawn(why_none(data, "fm_index", "a counterpart of another occurring_percent"));
  for (auto percent = percents.rbegin(); percent != percents.rend(); ++percent)
    chart.series.push_back(share_words(*percent));
  std::vector<std::string> notes{
      "The fastest point of each row, its prefix table and line included. Queries that do not occur are "
      "random bases. Early exit: the first k bases of a query are looked up before all steps."};
  note_left_out(chart.panels.size(), texts.size(), "texts", notes);
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure occurring() {
  return {"fm-index/occurring", "Queries that do not occur", kHeading,
          "Which layouts gain where queries do not occur, and how much, by text.", draw_occurring};
}

}  // namespace gpuseq::reports::fm_index
