#include "reports/figures/fm_index/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>

namespace gpuseq::reports {

FmLayout layout_of(const Entry& entry) {
  const Point& point = entry.record.state.point;
  return {static_cast<int>(number(point, "k").value_or(0)), static_cast<int>(number(point, "d").value_or(0)),
          word(point, "counters")};
}

FmLayout layout_of(const Fact& fact) {
  return {static_cast<int>(number(fact.at, "k").value_or(0)),
          static_cast<int>(number(fact.at, "d").value_or(0)), text(fact.at, "counters")};
}

std::string layout_text(const FmLayout& layout) {
  std::string name;
  if (layout.k > 0) name = fmt::format("k={}", layout.k);
  if (layout.d > 0) name += fmt::format("{}d={}", name.empty() ? "" : " ", layout.d);
  if (layout.counters == "alternate") name += " alternate";
  return name;
}

std::string layout_kind(const Entry& entry) {
  const std::string& variant = entry.record.state.variant;
  if (variant.starts_with("one_hot")) return "one-hot ";
  if (variant.starts_with("psi_lines")) return "psi lines ";
  if (variant.starts_with("elias_fano")) return "Elias-Fano ";
  if (variant.starts_with("verify")) return "verify ";
  return variant.starts_with("psi") ? "psi " : "";
}

std::vector<FmPanel> fm_panels(const ReportData& data) {
  std::map<std::tuple<std::string, std::string, std::string>, FmPanel> panels;
  for (const Entry* entry : data.settled("fm_index")) {
    FmPanel& panel =
        panels[{entry->device_name, entry->record.state.problem.to_string(), point_words(*entry)}];
    panel.device_name = entry->device_name;
    panel.problem = with_point_words(problem_name(*entry), *entry);
    panel.reference_bases = reference_bases(entry->record).value_or(0);
    panel.entries.push_back(entry);
  }
  std::vector<FmPanel> list;
  for (auto& [key, panel] : panels) list.push_back(std::move(panel));
  std::stable_sort(list.begin(), list.end(),
                   [](const FmPanel& a, const FmPanel& b) { return a.reference_bases > b.reference_bases; });
  return list;
}

void add_curves(const ReportData& data, FmCurves& curves, const std::string& title,
                const std::map<std::pair<std::string, double>, const Entry*>& fastest, std::size_t least_x) {
  std::set<double> xs;
  for (const auto& [key, entry] : fastest) xs.insert(key.second);
  if (xs.size() < least_x || curves.panels.size() == kMostPanels) return;
  chart::Panel panel{.title = title};
  for (const auto& [key, entry] : fastest) {
    const Rate rate = rate_of(*entry);
    panel.marks.push_back({.x = key.second,
                           .y = rate.value,
                           .low = rate.low,
                           .high = rate.high,
                           .series = key.first,
                           .synthetic = is_synthetic(*entry),
                           .record = data.index_of(*entry),
                           .tips = tips_of(*entry, rate, Unit::bases_per_s)});
    curves.used.push_back(entry);
    panel.guided = on_gpu(*entry);
    curves.xs.insert(key.second);
    curves.series.insert(key.first);
  }
  curves.panels.push_back(std::move(panel));
}

std::vector<std::string> natural_order(std::vector<std::string> names) {
  const auto less = [](const std::string& a, const std::string& b) {
    std::size_t i = 0, j = 0;
    const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    while (i < a.size() && j < b.size()) {
      if (digit(a[i]) && digit(b[j])) {
        std::size_t i_end = i, j_end = j;
        while (i_end < a.size() && digit(a[i_end])) ++i_end;
        while (j_end < b.size() && digit(b[j_end])) ++j_end;
        if (i_end - i != j_end - j) return i_end - i < j_end - j;
        if (const int order = a.compare(i, i_end - i, b, j, j_end - j); order != 0) return order < 0;
        i = i_end;
        j = j_end;
      } else {
        if (a[i] != b[j]) return a[i] < b[j];
        ++i;
        ++j;
      }
    }
    return a.size() - i < b.size() - j;
  };
  std::sort(names.begin(), names.end(), less);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace gpuseq::reports
