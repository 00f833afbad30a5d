#include "bench/phases/search/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace gpuseq::bench {
namespace {

using results::StateKey;

using Values = std::set<AxisValue>;

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

Coordinates::Coordinates(std::span<const StateKey> keys, std::span<const SelectedSpace* const> spaces) {
  for (const StateKey& key : keys) {
    variants_.insert(key.variant);
    for (const auto& [axis, value] : key.point.values()) values_of(axis).insert(value);
  }
  for (const SelectedSpace* space : spaces)
    for (const Axis& axis : space->axes())
      for (AxisValue& value : space->values(axis.name)) values_of(axis.name).insert(std::move(value));
}

Coordinates::Values& Coordinates::values_of(const std::string& axis) {
  const auto found = std::ranges::find(axes_, axis, [](const auto& one) { return one.first; });
  return found != axes_.end() ? found->second : axes_.emplace_back(axis, Values{}).second;
}

std::vector<Candidates::Feature> Coordinates::features() const {
  std::vector<Candidates::Feature> all{{std::string(kVariantFeature), false}};
  for (const auto& [axis, values] : axes_) all.push_back({axis, all_numbers(values)});
  return all;
}

std::vector<double> Coordinates::of(const StateKey& key) const {
  std::vector<double> place{
      static_cast<double>(std::distance(variants_.begin(), variants_.find(key.variant)))};
  for (const auto& [axis, values] : axes_)
    place.push_back(key.point.has(axis) ? rank_of(values, key.point.at(axis)) : kNoCoordinate);
  return place;
}

bool are_neighbours(const Candidates& candidates, std::size_t a, std::size_t b) {
  const std::vector<double>&own = candidates.coordinates[a], &other = candidates.coordinates[b];
  const bool other_variant = own[kVariantPlace] != other[kVariantPlace];
  std::size_t differ = 0;
  for (std::size_t f = kVariantPlace + 1; f < own.size(); ++f) {
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
