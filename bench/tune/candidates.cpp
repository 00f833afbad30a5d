#include "bench/tune/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace gpuseq::bench {
namespace {

using results::StateKey;

constexpr std::size_t kVariant = 0;  // the first feature

/// The values that an axis has among the candidates, numbers before words.
using Values = std::set<AxisValue>;

std::vector<std::pair<std::string, Values>> axes_of(std::span<const StateKey> keys) {
  std::vector<std::pair<std::string, Values>> axes;
  std::map<std::string, std::size_t> places;
  for (const StateKey& key : keys)
    for (const auto& [axis, value] : key.point.values()) {
      const auto [place, is_new] = places.emplace(axis, axes.size());
      if (is_new) axes.emplace_back(axis, Values{});
      axes[place->second].second.insert(value);
    }
  return axes;
}

bool all_numbers(const Values& values) {
  return std::ranges::all_of(values,
                             [](const AxisValue& v) { return std::holds_alternative<std::int64_t>(v); });
}

double rank_of(const Values& values, const AxisValue& value) {
  if (values.size() < 2) return 0;
  return static_cast<double>(std::distance(values.begin(), values.find(value))) /
         static_cast<double>(values.size() - 1);
}

}  // namespace

std::optional<double> Candidates::distance(std::size_t feature, double a, double b) const {
  if (!features[feature].ordered || a == kNoCoordinate || b == kNoCoordinate) return std::nullopt;
  return std::fabs(a - b);
}

std::size_t Candidates::differences(std::size_t a, std::size_t b) const {
  std::size_t count = 0;
  for (std::size_t f = 0; f < features.size(); ++f) count += coordinates[a][f] != coordinates[b][f] ? 1 : 0;
  return count;
}

Candidates candidates_of(std::span<const StateKey> keys) {
  std::set<std::string> names;
  for (const StateKey& key : keys) names.insert(key.variant);
  const auto axes = axes_of(keys);
  Candidates found;
  found.features.push_back({"variant", false});
  for (const auto& [axis, values] : axes) found.features.push_back({axis, all_numbers(values)});
  for (const StateKey& key : keys) {
    std::vector<double> place{static_cast<double>(std::distance(names.begin(), names.find(key.variant)))};
    for (const auto& [axis, values] : axes)
      place.push_back(key.point.has(axis) ? rank_of(values, key.point.at(axis)) : kNoCoordinate);
    found.coordinates.push_back(std::move(place));
  }
  return found;
}

bool are_neighbours(const Candidates& candidates, std::size_t a, std::size_t b) {
  const std::vector<double>&own = candidates.coordinates[a], &other = candidates.coordinates[b];
  const bool other_variant = own[kVariant] != other[kVariant];
  std::size_t differ = 0;
  for (std::size_t f = kVariant + 1; f < own.size(); ++f) {
    if (other_variant && (own[f] == kNoCoordinate || other[f] == kNoCoordinate)) continue;
    if (own[f] != other[f] && ++differ > 1) return false;
  }
  return differ == (other_variant ? 0u : 1u);
}

std::vector<std::size_t> neighbours_of(const Candidates& candidates, std::size_t candidate) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (i != candidate && are_neighbours(candidates, candidate, i)) found.push_back(i);
  return found;
}

}  // namespace gpuseq::bench
