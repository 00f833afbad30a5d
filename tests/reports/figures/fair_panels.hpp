#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "reports/charts/chart.hpp"
#include "reports/terms.hpp"

/// Whether the panels of a chart compare like with like, read off the records that their marks stand for.
namespace gpuseq::reports {

/// A mark: what it stands for, and what a reader sees of it.
struct SeenMark {
  const Entry* entry = nullptr;  // null: published
  std::optional<double> x = {};
  std::string words = {};
  chart::Terms terms = {};

  bool says(const std::string& text) const { return words.find(text) != std::string::npos; }
  bool declares(const std::string& name) const {
    return std::any_of(terms.begin(), terms.end(), [&](const auto& term) { return term.first == name; });
  }
};

struct SeenPanel {
  std::string title = {};
  std::vector<SeenMark> marks = {};
  std::vector<chart::Guide> guides = {};
};

class SeenPanels {
 public:
  SeenPanels(const chart::Chart& chart, const ReportData& data) : data_(data) {
    std::visit([&](const auto& kind) { see(kind); }, chart);
  }
  const std::vector<SeenPanel>& all() const { return panels_; }

 private:
  SeenMark seen(const auto& mark, std::optional<double> x, std::string words, chart::Terms terms) const {
    SeenMark result{mark.record ? &data_.entries.at(*mark.record) : nullptr, x, std::move(words),
                    std::move(terms)};
    if (result.entry && !result.declares("timed"))
      if (std::string timed = timed_words(*result.entry); !timed.empty())
        result.terms.emplace_back("timed", std::move(timed));
    return result;
  }
  void see(const chart::LineChart& chart) {
    for (const chart::Panel& panel : chart.panels) {
      panels_.push_back({.title = panel.title, .guides = chart::guides_of(chart, panel)});
      for (const chart::Mark& mark : panel.marks)
        panels_.back().marks.push_back(
            seen(mark, mark.x, mark.series + "\n" + mark.dash + "\n" + mark.label, mark.terms));
    }
  }
  void see(const chart::RowChart& chart) {
    for (const chart::RowPanel& panel : chart.panels) {
      panels_.push_back({.title = panel.title});
      for (const chart::RowMark& mark : panel.marks)
        panels_.back().marks.push_back(
            seen(mark, {}, mark.row + "\n" + mark.series + "\n" + mark.label, mark.terms));
    }
  }
  void see(const chart::HeatMap& chart) {
    for (const chart::HeatPanel& panel : chart.panels) {
      panels_.push_back({.title = panel.title});
      for (const chart::Cell& cell : panel.cells)
        panels_.back().marks.push_back(seen(cell, cell.x, cell.row, {}));
    }
  }

  const ReportData& data_;
  std::vector<SeenPanel> panels_;
};

/// The words of each term by mark, in the order of the marks; empty where a mark has not that term.
using WordsOfTerms = std::map<std::string, std::vector<std::string>>;

template <typename TermsOf>
WordsOfTerms words_of_terms(const std::vector<const SeenMark*>& marks, const TermsOf& terms_of) {
  WordsOfTerms words;
  for (std::size_t i = 0; i < marks.size(); ++i)
    for (const auto& [name, text] : terms_of(*marks[i])) {
      words[name].resize(marks.size());
      words[name][i] = text;
    }
  return words;
}

inline bool differ(const std::vector<std::string>& words) {
  std::set<std::string> different(words.begin(), words.end());
  different.erase("");  // a mark that has not the term does not differ in it
  return different.size() > 1;
}

/// Whether every mark says its words; what is not said has no words.
inline bool all_said(const std::vector<const SeenMark*>& marks, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (!marks[i]->says(words[i])) return false;
  return true;
}

inline std::string unsaid(const SeenPanel& panel, const std::string& name,
                          const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& text : std::set<std::string>(words.begin(), words.end()))
    list += fmt::format("{}'{}'", list.empty() ? "" : ", ", text);
  return fmt::format("panel '{}' mixes {}: {}", panel.title, name, list);
}

/// Axes of the problem that marks differ in and do not say, unless x stands for all of them: each place has
/// one combination of them, and each combination one place. A mark that declares that it pools data sets made
/// alike (reports/terms.hpp) is of none of them; of how many it is, is a term as others are.
inline void find_mixed_problems(const SeenPanel& panel, const std::vector<const SeenMark*>& marks,
                                std::vector<std::string>& found) {
  const WordsOfTerms words = words_of_terms(marks, [](const SeenMark& mark) {
    std::vector<std::pair<std::string, std::string>> terms;
    for (Term& term : problem_terms(*mark.entry))
      if (!(made_alike(term.name) && mark.declares(term.name)))
        terms.emplace_back(std::move(term.name), std::move(term.words));
    return terms;
  });
  std::vector<std::string> combinations(marks.size());
  std::vector<std::string> sentences;
  for (const auto& [name, of_marks] : words) {
    if (!differ(of_marks) || all_said(marks, of_marks)) continue;
    sentences.push_back(unsaid(panel, name, of_marks));
    for (std::size_t i = 0; i < marks.size(); ++i) combinations[i] += of_marks[i] + "\n";
  }
  if (sentences.empty()) return;
  std::map<double, std::set<std::string>> by_place;
  std::map<std::string, std::set<double>> by_combination;
  bool one_to_one = true;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (!marks[i]->x) {
      one_to_one = false;
      break;
    }
    by_place[*marks[i]->x].insert(combinations[i]);
    by_combination[combinations[i]].insert(*marks[i]->x);
  }
  for (const auto& [place, of] : by_place) one_to_one = one_to_one && of.size() == 1;
  for (const auto& [combination, of] : by_combination) one_to_one = one_to_one && of.size() == 1;
  if (!one_to_one) found.insert(found.end(), sentences.begin(), sentences.end());
}

/// A sentence for each panel and each term (reports/terms.hpp, and those of the marks) in which the records
/// of a panel differ although neither x nor the row, series, dash or label of every mark says so, and for
/// each guide that crosses marks of other terms. Empty for a chart that compares like with like.
inline std::vector<std::string> mixtures(const chart::Chart& chart, const ReportData& data) {
  std::vector<std::string> found;
  const SeenPanels panels(chart, data);
  for (const SeenPanel& panel : panels.all()) {
    std::vector<const SeenMark*> marks;
    for (const SeenMark& mark : panel.marks)
      if (mark.entry) marks.push_back(&mark);
    find_mixed_problems(panel, marks, found);
    const WordsOfTerms of_points = words_of_terms(marks, [](const SeenMark& mark) {
      std::vector<std::pair<std::string, std::string>> terms{{"device", mark.entry->device_name},
                                                             {"family", mark.entry->record.state.family}};
      for (Term& term : point_terms(*mark.entry))
        if (!mark.declares(term.name)) terms.emplace_back(std::move(term.name), std::move(term.words));
      return terms;
    });
    for (const auto& [name, words] : of_points)
      if (differ(words) && !all_said(marks, words)) found.push_back(unsaid(panel, name, words));
    // A mark without a declared term is of the usual kind: one launch.
    const WordsOfTerms declared = words_of_terms(marks, [](const SeenMark& mark) { return mark.terms; });
    for (const auto& [name, words] : declared)
      if (std::set<std::string>(words.begin(), words.end()).size() > 1 && !all_said(marks, words))
        found.push_back(unsaid(panel, name, words));
    for (const chart::Guide& guide : panel.guides)
      for (const auto& [name, text] : guide.terms)
        for (const SeenMark* mark : marks)
          if (std::find(mark->terms.begin(), mark->terms.end(), std::pair(name, text)) == mark->terms.end()) {
            found.push_back(fmt::format("panel '{}' has '{}' ({} {}) across marks that are not", panel.title,
                                        guide.label, name, text));
            break;
          }
  }
  return found;
}

}  // namespace gpuseq::reports
