#include <algorithm>
#include <cmath>

#include "bench/phases/search/strategy.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::bench {
namespace {

constexpr std::size_t kPopulation = 20;

/// Each point is made of two of the best so far: of each feature the value of one of them, now and then that
/// of any point. As not every combination is a point, it is the untried one that agrees with the most of
/// them.
class Genetic final : public Strategy {
  std::size_t choose(const Candidates& candidates, std::span<const Tried> tried,
                     std::span<const std::size_t> untried, std::uint64_t seed) const override {
    Random random(seed, tried.size());
    std::vector<const Tried*> best;
    for (const Tried& one : tried)
      if (one.score) best.push_back(&one);
    if (best.size() < kPopulation / 2) return untried[random.below(untried.size())];
    std::ranges::stable_sort(best, std::ranges::greater(), [](const Tried* one) { return *one->score; });
    best.resize(std::min(best.size(), kPopulation));
    // The better of two at random, which is first.
    const auto parent = [&] { return best[std::min(random.below(best.size()), random.below(best.size()))]; };
    const std::vector<double>& mother = candidates.coordinates[parent()->candidate];
    const std::vector<double>& father = candidates.coordinates[parent()->candidate];
    std::vector<double> child(mother.size());
    for (std::size_t f = 0; f < child.size(); ++f) {
      child[f] = random.below(2) == 0 ? mother[f] : father[f];
      if (random.below(child.size()) == 0)
        child[f] = candidates.coordinates[random.below(candidates.size())][f];
    }
    return nearest(candidates, child, untried, random);
  }

  static std::size_t nearest(const Candidates& candidates, const std::vector<double>& child,
                             std::span<const std::size_t> untried, Random& random) {
    std::vector<std::size_t> found;
    double least = INFINITY;
    for (const std::size_t one : untried) {
      const double away = distance(candidates, candidates.coordinates[one], child);
      if (away < least) found.clear();
      least = std::min(least, away);
      if (away == least) found.push_back(one);
    }
    return found[random.below(found.size())];
  }

  static double distance(const Candidates& candidates, const std::vector<double>& a,
                         const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t f = 0; f < a.size(); ++f)
      if (a[f] != b[f]) sum += candidates.distance(f, a[f], b[f]).value_or(1);
    return sum;
  }
};

}  // namespace

std::unique_ptr<Strategy> make_genetic() {
  return std::make_unique<Genetic>();
}

}  // namespace gpuseq::bench
