#include "probes/levels/capacity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace gpuseq::probes {
namespace {

constexpr double kProfileStep = 1.0 / 24, kProfileReach = 1.0;  // octaves
constexpr double kOneDeviation = 1;                             // rise of the criterion, which
                                                                // is 2 log likelihood
constexpr double kLeastDeviation = 1.0 / 64;
constexpr double kUnknown = 0.5;  // octaves: a curve with more uncertainty is ignored if there are others

/// Factor by which the interval of a few differing places is wider than that of many: Student's t for
/// one more place, because each place has its own uncertainty as well. In simulations such 95 %
/// intervals cover 97 to 99 %.
double few(std::size_t places) {
  constexpr std::array kQuantiles{4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23};
  return places - 2 < kQuantiles.size() ? kQuantiles[places - 2] : 2.1;
}

/// The range in which a profile is within `more` of its least value: its middle, and half of its width.
PlaceOfOne within(std::span<const double> profile, double more) {
  const double least = *std::ranges::min_element(profile);
  std::size_t first = profile.size(), last = 0;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    if (profile[i] > least + more) continue;
    first = std::min(first, i);
    last = std::max(last, i);
  }
  return {0.5 * static_cast<double>(first + last) * kProfileStep - kProfileReach,
          0.5 * static_cast<double>(last - first + 1) * kProfileStep};
}

}  // namespace

CapacityEstimate mean_place(std::span<const PlaceOfOne> places) {
  if (places.empty()) return {};
  double sum_w = 0, sum_ww = 0, mean = 0, scatter = 0;
  for (const PlaceOfOne& place : places) {
    const double w = 1 / (place.deviation * place.deviation);
    sum_w += w, sum_ww += w * w, mean += w * place.at;
  }
  mean /= sum_w;
  for (const PlaceOfOne& place : places)
    scatter += (place.at - mean) * (place.at - mean) / (place.deviation * place.deviation);
  const double freedom = static_cast<double>(places.size()) - 1;
  const double between =
      places.size() < 2 ? 0 : std::max(0.0, (scatter - freedom) / (sum_w - sum_ww / sum_w));
  double sum = 0, at = 0;
  for (const PlaceOfOne& place : places) {
    const double w = 1 / (place.deviation * place.deviation + between);
    sum += w, at += w * place.at;
  }
  const double half = (between > 0 ? few(places.size()) : 1.96) / std::sqrt(sum);
  return {at / sum, at / sum - half, at / sum + half};
}

CapacityEstimate estimate_capacity(const LevelSearch& search, std::size_t component,
                                   std::span<const std::size_t> showing) {
  const Place place = search.components()[component].place;
  std::vector<std::vector<double>> profiles(showing.size());
  const auto reach = static_cast<int>(std::lround(kProfileReach / kProfileStep));
  for (int step = -reach; step <= reach; ++step) {
    const double off = step * kProfileStep;
    const std::vector<double> scores = search.scores_at(component, {.at = place.at + off, .width = 0});
    for (std::size_t i = 0; i < showing.size(); ++i) profiles[i].push_back(scores[showing[i]]);
  }
  std::vector<PlaceOfOne> places;
  for (const std::vector<double>& profile : profiles) {
    PlaceOfOne own = within(profile, kOneDeviation);
    own.deviation = std::max(own.deviation, kLeastDeviation);
    own.at += place.at;
    places.push_back(own);
  }
  const bool some_know =
      std::ranges::any_of(places, [](const PlaceOfOne& own) { return own.deviation < kUnknown; });
  if (some_know) std::erase_if(places, [](const PlaceOfOne& own) { return own.deviation >= kUnknown; });
  return places.empty() ? CapacityEstimate{place.at, place.at - kProfileReach, place.at + kProfileReach}
                        : mean_place(places);
}

}  // namespace gpuseq::probes
