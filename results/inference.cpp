#include "results/inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

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

/// Medians of resamples of sorted values. Counting how often each value was drawn spares the sorting.
class MedianResampler {
 public:
  MedianResampler(std::span<const double> sorted, std::size_t size, std::uint64_t seed, std::uint64_t stream)
      : sorted_(sorted), size_(size), counts_(sorted.size()), random_(seed, stream) {}

  double operator()() {
    std::fill(counts_.begin(), counts_.end(), 0);
    for (std::size_t i = 0; i < size_; ++i) ++counts_[random_.below(sorted_.size())];
    const std::size_t lower = (size_ - 1) / 2, upper = size_ / 2;
    std::size_t at = 0, below = counts_[0];
    while (below <= lower) below += counts_[++at];
    const double first = sorted_[at];
    while (below <= upper) below += counts_[++at];
    return first + (sorted_[at] - first) / 2;
  }

 private:
  std::span<const double> sorted_;
  std::size_t size_;
  std::vector<std::size_t> counts_;
  Random random_;
};

/// Ways to place `a` values of one side among `b` of the other, by the number U of pairs in which it is
/// ahead: ways(a, b, u) = ways(a - 1, b, u - b) + ways(a, b - 1, u). As shares of all ways.
std::vector<double> distribution_of_u(std::size_t a, std::size_t b) {
  std::vector<std::vector<double>> fewer(a + 1), row(a + 1);
  for (std::size_t j = 0; j <= b; ++j) {
    for (std::size_t i = 0; i <= a; ++i) {
      std::vector<double> ways(i * j + 1, 0.0);
      if (i == 0 || j == 0) {
        ways[0] = 1;
      } else {
        for (std::size_t u = 0; u < row[i - 1].size(); ++u) ways[u + j] += row[i - 1][u];
        for (std::size_t u = 0; u < fewer[i].size(); ++u) ways[u] += fewer[i][u];
      }
      row[i] = std::move(ways);
    }
    fewer = row;
  }
  std::vector<double> shares = std::move(row[a]);
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= all;
  return shares;
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

double exact_p(double u, std::size_t a, std::size_t b) {
  const std::vector<double> shares = distribution_of_u(a, b);
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
                               std::uint64_t seed) {
  require_confidence(confidence);
  const std::vector<double> a = sorted_durations(base), b = sorted_durations(other);
  MedianResampler resample_a(a, a.size(), seed, 0), resample_b(b, b.size(), seed, 1);
  std::vector<double> ratios(kResamples);
  for (double& ratio : ratios) ratio = resample_b() / resample_a();
  std::sort(ratios.begin(), ratios.end());
  const auto tail = static_cast<std::size_t>((1 - confidence) / 2 * static_cast<double>(kResamples));
  return {median(b) / median(a), ratios[tail], ratios[kResamples - 1 - tail]};
}

double mann_whitney_p(std::span<const double> a, std::span<const double> b) {
  static_cast<void>(median(a)), static_cast<void>(median(b));  // throw for what cannot be ranked
  const Ranking ranking = rank(a, b);
  const double pairs = static_cast<double>(a.size()) * static_cast<double>(b.size());
  const double u = std::max(ranking.u, pairs - ranking.u);
  if (ranking.ties == 0 && a.size() * b.size() <= kMostExactPairs) return exact_p(u, a.size(), b.size());
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
                                  double confidence, std::uint64_t seed) {
  require_confidence(confidence);
  const std::vector<double> sorted = sorted_durations(base);
  if (other_size == 0) throw std::invalid_argument("a noise floor against no values");
  if (base.size() < kFewestValues) return std::nullopt;
  MedianResampler first(sorted, sorted.size(), seed, 2), second(sorted, other_size, seed, 3);
  std::vector<double> differences(kResamples);
  for (double& difference : differences) difference = std::abs(std::log(second() / first()));
  const auto at = static_cast<std::ptrdiff_t>(confidence * static_cast<double>(kResamples));
  std::nth_element(differences.begin(), differences.begin() + at, differences.end());
  double floor = differences[static_cast<std::size_t>(at)];
  if (order == Order::in_time) {
    const std::size_t half = base.size() / 2;
    floor = std::max(floor,
                     std::abs(std::log(median(base.subspan(base.size() - half)) / median(base.first(half)))));
  }
  return std::expm1(floor);
}

}  // namespace gpuseq::results
