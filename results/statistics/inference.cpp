#include "results/statistics/inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "results/statistics/inference_tables.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::results {
namespace {

constexpr std::size_t kResamples = 2000;
constexpr std::size_t kMostExactPairs = 400;

void require_confidence(double confidence) {
  if (!(confidence > 0 && confidence < 1))
    throw std::invalid_argument(fmt::format("confidence is {}, allowed: between 0 and 1", confidence));
}

std::vector<double> sorted_durations(std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("a comparison with no values");
  for (const double value : values)
    if (!std::isfinite(value) || value <= 0)
      throw std::invalid_argument(fmt::format("a value is {}, allowed: positive and finite", value));
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

double middle(double lower, double upper) {
  return lower + (upper - lower) / 2;
}

/// Medians of kResamples resamples of sorted values, which have `size` values each.
std::vector<double> resampled_medians(std::span<const double> sorted, std::size_t size, Random random,
                                      InferenceTables& tables) {
  std::vector<double> medians(kResamples);
  if (sorted.size() <= MedianLaw::kMostValues) {
    const MedianLaw& law = tables.median_law(sorted.size(), size);
    for (double& median : medians) {
      const MiddleRanks ranks = law(random);
      median = middle(sorted[ranks.lower], sorted[ranks.upper]);
    }
    return medians;
  }
  // Counting how often each value was drawn spares the sorting.
  std::vector<std::size_t> counts(sorted.size());
  for (double& median : medians) {
    std::fill(counts.begin(), counts.end(), 0);
    for (std::size_t draw = 0; draw < size; ++draw) ++counts[random.below(sorted.size())];
    std::size_t at = 0, below = counts[0];
    while (below <= (size - 1) / 2) below += counts[++at];
    const double lower = sorted[at];
    while (below <= size / 2) below += counts[++at];
    median = middle(lower, sorted[at]);
  }
  return medians;
}

/// Puts the values that `goes_first` holds for before the others, without a branch that depends on a value.
template <typename GoesFirst>
std::size_t partition(std::span<double> values, GoesFirst goes_first) {
  std::size_t first = 0;
  for (double& place : values) {
    const double value = std::exchange(place, values[first]);
    values[first] = value;
    first += goes_first(value);
  }
  return first;
}

/// The value that sorting would put at `n`: as std::nth_element, several times as fast on numbers of which
/// every other one is guessed wrong.
double nth(std::span<double> values, std::size_t n) {
  while (true) {
    const double a = values.front(), b = values[values.size() / 2], c = values.back();
    const double pivot = std::max(std::min(a, b), std::min(std::max(a, b), c));
    const std::size_t smaller = partition(values, [pivot](double value) { return value < pivot; });
    if (n < smaller) {
      values = values.first(smaller);
      continue;
    }
    values = values.subspan(smaller);
    n -= smaller;
    const std::size_t equal = partition(values, [pivot](double value) { return value <= pivot; });
    if (n < equal) return pivot;
    values = values.subspan(equal);
    n -= equal;
  }
}

struct Ranking {
  double u = 0;     // pairs in which a is ahead of b, ties a half
  double ties = 0;  // sum of t^3 - t over groups of t equal values
};

Ranking rank(std::span<const double> a, std::span<const double> b) {
  std::vector<std::pair<double, bool>> all;
  for (const double value : a) all.emplace_back(value, true);
  for (const double value : b) all.emplace_back(value, false);
  std::sort(all.begin(), all.end());
  Ranking ranking;
  double rank_sum = 0;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    while (end < all.size() && all[end].first == all[begin].first) ++end;
    const double count = static_cast<double>(end - begin);
    const double middle_rank = static_cast<double>(begin + end + 1) / 2;
    for (std::size_t i = begin; i < end; ++i) rank_sum += all[i].second ? middle_rank : 0;
    ranking.ties += count * count * count - count;
    begin = end;
  }
  const double n = static_cast<double>(a.size());
  ranking.u = rank_sum - n * (n + 1) / 2;
  return ranking;
}

double exact_p(double u, const std::vector<double>& shares) {
  double tail = 0;  // small shares first
  for (std::size_t i = shares.size(); i-- > 0 && static_cast<double>(i) >= u;) tail += shares[i];
  return std::min(1.0, 2 * tail);
}

double normal_p(double u, double ties, double a, double b) {
  const double n = a + b;
  const double variance = a * b / 12 * (n + 1 - ties / (n * (n - 1)));
  if (variance <= 0) return 1;
  const double z = std::max(0.0, u - a * b / 2 - 0.5) / std::sqrt(variance);
  return std::min(1.0, std::erfc(z / std::sqrt(2.0)));
}

}  // namespace

RatioInterval ratio_of_medians(std::span<const double> base, std::span<const double> other, double confidence,
                               std::uint64_t seed, InferenceTables* tables) {
  require_confidence(confidence);
  const std::vector<double> a = sorted_durations(base), b = sorted_durations(other);
  InferenceTables own;
  if (!tables) tables = &own;
  std::vector<double> ratios = resampled_medians(b, b.size(), Random(seed, 1), *tables);
  const std::vector<double> of_a = resampled_medians(a, a.size(), Random(seed, 0), *tables);
  for (std::size_t i = 0; i < kResamples; ++i) ratios[i] /= of_a[i];
  const auto tail = static_cast<std::size_t>((1 - confidence) / 2 * static_cast<double>(kResamples));
  const double low = nth(ratios, tail);
  return {median(b) / median(a), low, nth(ratios, kResamples - 1 - tail)};
}

double mann_whitney_p(std::span<const double> a, std::span<const double> b, InferenceTables* tables) {
  static_cast<void>(median(a)), static_cast<void>(median(b));  // throw for what cannot be ranked
  InferenceTables own;
  if (!tables) tables = &own;
  const Ranking ranking = rank(a, b);
  const double pairs = static_cast<double>(a.size()) * static_cast<double>(b.size());
  const double u = std::max(ranking.u, pairs - ranking.u);
  if (ranking.ties == 0 && a.size() * b.size() <= kMostExactPairs)
    return exact_p(u, tables->distribution_of_u(a.size(), b.size()));
  return normal_p(u, ranking.ties, static_cast<double>(a.size()), static_cast<double>(b.size()));
}

double least_mann_whitney_p(std::size_t a, std::size_t b) {
  const double x = static_cast<double>(a), y = static_cast<double>(b);
  return std::min(1.0, 2 * std::exp(std::lgamma(x + 1) + std::lgamma(y + 1) - std::lgamma(x + y + 1)));
}

std::vector<double> false_discovery_rates(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return p_values[i] < p_values[j]; });
  std::vector<double> q(p_values.size());
  double least = 1;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t i = order[rank - 1];
    least = std::min(least, p_values[i] * static_cast<double>(order.size()) / static_cast<double>(rank));
    q[i] = least;
  }
  return q;
}

std::optional<double> noise_floor(std::span<const double> base, std::size_t other_size, Order order,
                                  double confidence, std::uint64_t seed, InferenceTables* tables) {
  require_confidence(confidence);
  const std::vector<double> sorted = sorted_durations(base);
  if (other_size == 0) throw std::invalid_argument("a noise floor against no values");
  if (base.size() < kFewestValues) return std::nullopt;
  InferenceTables own;
  if (!tables) tables = &own;
  const std::vector<double> first = resampled_medians(sorted, sorted.size(), Random(seed, 2), *tables),
                            second = resampled_medians(sorted, other_size, Random(seed, 3), *tables);
  std::vector<double> differences(kResamples);  // as ratios, the larger median over the smaller
  for (std::size_t i = 0; i < kResamples; ++i)
    differences[i] = std::max(first[i], second[i]) / std::min(first[i], second[i]);
  double floor =
      std::log(nth(differences, static_cast<std::size_t>(confidence * static_cast<double>(kResamples))));
  if (order == Order::in_time) {
    const std::size_t half = base.size() / 2;
    floor = std::max(floor,
                     std::abs(std::log(median(base.subspan(base.size() - half)) / median(base.first(half)))));
  }
  return std::expm1(floor);
}

}  // namespace gpuseq::results
