#include "reports/figure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "reports/charts/series_limit.hpp"
#include "reports/figures/exact_match/figures.hpp"
#include "reports/figures/fm_index/figures.hpp"
#include "reports/figures/fm_locate/figures.hpp"
#include "reports/figures/pairwise_distance/figures.hpp"
#include "reports/figures/papara/figures.hpp"
#include "reports/figures/probes/figures.hpp"
#include "reports/figures/profile_hmm/figures.hpp"
#include "reports/figures/suite/figures.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::reports {
namespace {

/// Edits that turn one name into the other (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

[[noreturn]] void refuse(const std::string& name) {
  std::vector<std::string> names;
  for (const Figure& figure : figures()) names.push_back(figure.name);
  const auto nearest = std::min_element(names.begin(), names.end(), [&](const auto& a, const auto& b) {
    return distance(a, name) < distance(b, name);
  });
  throw UsageError(
      fmt::format("no figure '{}'; did you mean '{}'? There are {}", name, *nearest, fmt::join(names, ", ")));
}

}  // namespace

Drawing drawn(chart::Chart chart) {
  chart::limit_series(chart);
  nlohmann::ordered_json spec = chart::draw(chart);
  return {std::move(spec), "", std::move(chart)};
}

Drawing not_drawn(std::string reason) {
  return {std::nullopt, std::move(reason)};
}

std::string Figure::file_stem() const {
  std::string stem = name;
  std::replace(stem.begin(), stem.end(), '/', '-');
  return stem;
}

const std::vector<Figure>& figures() {
  static const std::vector<Figure> all = [] {
    std::vector<Figure> list;
    for (const std::vector<Figure>& family :
         {suite_figures(), probe_figures(), fm_index_figures(), fm_locate_figures(), papara_figures(),
          profile_hmm_figures(), pairwise_distance_figures(), exact_match_figures()})
      list.insert(list.end(), family.begin(), family.end());
    return list;
  }();
  return all;
}

std::vector<const Figure*> find_figures(const std::vector<std::string>& names) {
  std::vector<const Figure*> found;
  for (const std::string& name : names) {
    const auto figure =
        std::find_if(figures().begin(), figures().end(), [&](const Figure& f) { return f.name == name; });
    if (figure == figures().end()) refuse(name);
    if (std::find(found.begin(), found.end(), &*figure) == found.end()) found.push_back(&*figure);
  }
  if (names.empty())
    for (const Figure& figure : figures()) found.push_back(&figure);
  return found;
}

}  // namespace gpuseq::reports
