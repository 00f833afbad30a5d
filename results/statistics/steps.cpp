#include "results/statistics/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "runtime/system/random.hpp"

namespace gpuseq::results {
namespace {

constexpr std::size_t kShortest = 3;  // values of a stretch
constexpr std::size_t kPermutations = 999;

/// The stretch [begin, end) of a series that differs most from the rest of it; the contrast is the squared
/// difference of means over its variance, but for the factor that a permutation leaves alone.
struct Arc {
  std::size_t begin = 0, end = 0;
  double contrast = 0;
};

double contrast(double sum, double count, double all_sum, double all_count) {
  const double difference = sum / count - (all_sum - sum) / (all_count - count);
  return difference * difference * count * (all_count - count) / all_count;
}

Arc strongest_arc(std::span<const double> values) {
  const std::size_t n = values.size();
  std::vector<double> sums(n + 1, 0.0);
  std::partial_sum(values.begin(), values.end(), sums.begin() + 1);
  Arc best;
  const auto consider = [&](std::size_t begin, std::size_t end) {
    const double found =
        contrast(sums[end] - sums[begin], static_cast<double>(end - begin), sums[n], static_cast<double>(n));
    if (found > best.contrast) best = {begin, end, found};
  };
  for (std::size_t begin = kShortest; begin + kShortest <= n; ++begin) {
    consider(begin, n);
    for (std::size_t end = begin + kShortest; end + kShortest <= n; ++end) consider(begin, end);
  }
  return best;
}

/// Whether a stretch of the values contrasts with the rest by `least` or more. As strongest_arc() would say,
/// but in little more than linear time where none does, which of most orders of a series with a step is so.
class ArcTest {
 public:
  ArcTest(std::span<const double> values, bool arcs, double least)
      : n_(values.size()), arcs_(arcs), least_(least), sums_(values.size() + 1, 0.0) {
    std::partial_sum(values.begin(), values.end(), sums_.begin() + 1);
    double size = 0;
    for (const double value : values) size += std::abs(value);
    rounding_ = 4 * std::numeric_limits<double>::epsilon() * static_cast<double>(n_) * size;
  }

  bool operator()() const {
    for (std::size_t begin = kShortest; begin + kShortest <= n_; ++begin)
      if (is_strong(begin, n_)) return true;
    if (!arcs_) return false;
    const std::vector<Block> blocks = make_blocks();
    for (std::size_t i = 0; i < blocks.size(); ++i)
      for (std::size_t j = i; j < blocks.size(); ++j)
        if (may_be_strong(blocks[i], blocks[j]) && has_strong(blocks[i], blocks[j])) return true;
    return false;
  }

 private:
  /// Places side by side, and what their centred sums lie between.
  struct Block {
    std::size_t first, last;
    double least, most;
  };

  bool is_strong(std::size_t begin, std::size_t end) const {
    return contrast(sums_[end] - sums_[begin], static_cast<double>(end - begin), sums_[n_],
                    static_cast<double>(n_)) >= least_;
  }

  /// Of the values before a place, as differences from the mean of all.
  double centred_sum(std::size_t place) const {
    return sums_[place] - sums_[n_] * static_cast<double>(place) / static_cast<double>(n_);
  }

  std::vector<Block> make_blocks() const {
    constexpr std::size_t kPlaces = 32;
    std::vector<Block> blocks;
    for (std::size_t first = kShortest; first + kShortest <= n_; first += kPlaces) {
      const std::size_t last = std::min(first + kPlaces - 1, n_ - kShortest);
      Block block{first, last, centred_sum(first), centred_sum(first)};
      for (std::size_t place = first + 1; place <= last; ++place) {
        block.least = std::min(block.least, centred_sum(place));
        block.most = std::max(block.most, centred_sum(place));
      }
      blocks.push_back(block);
    }
    return blocks;
  }

  /// Of the stretches from one block to the other none has a larger sum, nor fewer pairs of values within and
  /// without, than this takes them to have.
  bool may_be_strong(const Block& begins, const Block& ends) const {
    const double n = static_cast<double>(n_);
    const auto pairs = [n](std::size_t count) {
      return static_cast<double>(count) * (n - static_cast<double>(count));
    };
    const std::size_t nearest = ends.first > begins.last ? ends.first - begins.last : 0,
                      fewest = std::max(nearest, kShortest),
                      most = std::max(ends.last - begins.first, fewest);
    const double sum = std::max(ends.most - begins.least, begins.most - ends.least) + rounding_;
    return sum * sum * n >= least_ * std::min(pairs(fewest), pairs(most)) * (1 - 1e-9);
  }

  bool has_strong(const Block& begins, const Block& ends) const {
    for (std::size_t begin = begins.first; begin <= begins.last; ++begin)
      for (std::size_t end = std::max(ends.first, begin + kShortest); end <= ends.last; ++end)
        if (is_strong(begin, end)) return true;
    return false;
  }

  std::size_t n_;
  bool arcs_;
  double least_;
  std::vector<double> sums_;
  double rounding_;  // at most, of sums
};

/// @param arcs  false: only stretches that reach the end, that is single cuts
/// @returns the share of orders of the values, the given one among them, whose strongest arc is at least as
/// strong. Stops early where the share is above `enough` for certain.
double permutation_p(std::span<const double> values, bool arcs, double strength, double enough,
                     Random& random) {
  std::vector<double> shuffled(values.begin(), values.end());
  const double most = enough * (kPermutations + 1);
  std::size_t as_strong = 1;
  for (std::size_t i = 0; i < kPermutations; ++i) {
    for (std::size_t j = shuffled.size(); j > 1; --j) std::swap(shuffled[j - 1], shuffled[random.below(j)]);
    if (ArcTest(shuffled, arcs, strength * (1 - 1e-9))()) ++as_strong;
    if (static_cast<double>(as_strong) > most) break;
  }
  return static_cast<double>(as_strong) / (kPermutations + 1);
}

struct Test {
  double least_p = 0.05;
  std::size_t length = 0;  // of the whole series
  Random random;

  /// Stretches share what the series may err, by their lengths, so that steps that are there bring no others.
  double share_of(std::size_t stretch) const {
    return least_p * static_cast<double>(stretch) / static_cast<double>(length);
  }
};

void cut(std::span<const double> values, std::size_t offset, Test& test, std::vector<std::size_t>& cuts) {
  if (values.size() < 2 * kShortest) return;
  const Arc arc = strongest_arc(values);
  if (arc.contrast <= 0) return;
  const double least_p = test.share_of(values.size());
  if (permutation_p(values, true, arc.contrast, least_p, test.random) > least_p) return;
  cut(values.first(arc.begin), offset, test, cuts);
  cuts.push_back(offset + arc.begin);
  cut(values.subspan(arc.begin, arc.end - arc.begin), offset + arc.begin, test, cuts);
  if (arc.end == values.size()) return;
  cuts.push_back(offset + arc.end);
  cut(values.subspan(arc.end), offset + arc.end, test, cuts);
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Step step_at(std::span<const double> logs, const std::vector<std::size_t>& cuts, std::size_t i, Test& test) {
  const std::size_t begin = i == 0 ? 0 : cuts[i - 1], end = i + 1 < cuts.size() ? cuts[i + 1] : logs.size();
  const auto both = logs.subspan(begin, end - begin);
  const auto before = logs.subspan(begin, cuts[i] - begin), after = logs.subspan(cuts[i], end - cuts[i]);
  const double n = static_cast<double>(both.size()), sum = mean(both) * n;
  const double strength =
      contrast(mean(after) * static_cast<double>(after.size()), static_cast<double>(after.size()), sum, n);
  return {cuts[i], std::exp(mean(before)), std::exp(mean(after)),
          1 - permutation_p(both, false, strength, 1, test.random)};
}

/// Takes out the least certain cut until all stand the test.
std::vector<Step> tested(std::span<const double> logs, std::vector<std::size_t> cuts, Test& test) {
  while (true) {
    std::vector<Step> steps;
    for (std::size_t i = 0; i < cuts.size(); ++i) steps.push_back(step_at(logs, cuts, i, test));
    const auto weakest = std::min_element(
        steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.confidence < b.confidence; });
    if (weakest == steps.end() || weakest->confidence >= 1 - test.least_p) return steps;
    cuts.erase(cuts.begin() + (weakest - steps.begin()));
  }
}

}  // namespace

std::vector<Step> find_steps(std::span<const double> values, double confidence, std::uint64_t seed) {
  if (!(confidence > 0 && confidence < 1))
    throw std::invalid_argument(fmt::format("confidence is {}, allowed: between 0 and 1", confidence));
  std::vector<double> logs;
  for (const double value : values) {
    if (!std::isfinite(value) || value <= 0)
      throw std::invalid_argument(fmt::format("a value is {}, allowed: positive and finite", value));
    logs.push_back(std::log(value));
  }
  Test test{.least_p = 1 - confidence, .length = values.size(), .random = Random(seed)};
  std::vector<std::size_t> cuts;
  cut(logs, 0, test, cuts);
  return tested(logs, std::move(cuts), test);
}

}  // namespace gpuseq::results
