#include <algorithm>
#include <cmath>

#include "bench/phases/search/strategy.hpp"
#include "runtime/system/random.hpp"

// Searches that go from a point to its neighbours. Their current points follow from the tried points, step by
// step.

namespace gpuseq::bench {
namespace {

bool is_in(std::span<const std::size_t> sorted, std::size_t one) {
  return std::ranges::binary_search(sorted, one);
}

std::size_t any_of_them(std::span<const std::size_t> all, Random& random) {
  return all[random.below(all.size())];
}

/// Neighbours of a candidate that have not been tried.
std::vector<std::size_t> open_neighbours(const Candidates& candidates, std::size_t candidate,
                                         std::span<const std::size_t> untried) {
  std::vector<std::size_t> found = neighbours_of(candidates, candidate);
  std::erase_if(found, [&](std::size_t one) { return !is_in(untried, one); });
  return found;
}

/// Goes to the first neighbour that is better; from a random place again where there is none.
class Greedy final : public Strategy {
  std::size_t choose(const Candidates& candidates, std::span<const Tried> tried,
                     std::span<const std::size_t> untried, std::uint64_t seed) const override {
    Random random(seed, tried.size());
    const Tried* stands = nullptr;
    for (const Tried& one : tried) {
      const bool is_step = stands != nullptr && are_neighbours(candidates, stands->candidate, one.candidate);
      if (!is_step || one.score.value_or(-INFINITY) > stands->score.value_or(-INFINITY)) stands = &one;
    }
    if (stands == nullptr) return any_of_them(untried, random);
    const auto open = open_neighbours(candidates, stands->candidate, untried);
    return any_of_them(open.empty() ? untried : std::span(open), random);
  }
};

/// Metropolis: a worse neighbour is gone to with a probability that falls with how much worse it is, and with
/// the number of steps.
class Annealing final : public Strategy {
  std::size_t choose(const Candidates& candidates, std::span<const Tried> tried,
                     std::span<const std::size_t> untried, std::uint64_t seed) const override {
    Random random(seed, tried.size());
    const Tried* stands = nullptr;
    for (std::size_t step = 0; step < tried.size(); ++step)
      if (tried[step].score &&
          (stands == nullptr || is_taken(*stands->score, *tried[step].score, seed, step)))
        stands = &tried[step];
    if (stands == nullptr) return any_of_them(untried, random);
    const auto open = open_neighbours(candidates, stands->candidate, untried);
    return any_of_them(open.empty() ? untried : std::span(open), random);
  }

  static bool is_taken(double here, double there, std::uint64_t seed, std::size_t step) {
    constexpr double kFirstTemperature = 0.3, kCoolsIn = 10;  // of relative losses; steps
    constexpr std::uint64_t kOtherStream = 0x5bd1e995;
    if (there >= here) return true;
    const double temperature = kFirstTemperature / (1 + static_cast<double>(step) / kCoolsIn);
    return Random(seed ^ kOtherStream, step).uniform() < std::exp(-(1 - there / here) / temperature);
  }
};

}  // namespace

std::unique_ptr<Strategy> make_greedy() {
  return std::make_unique<Greedy>();
}

std::unique_ptr<Strategy> make_annealing() {
  return std::make_unique<Annealing>();
}

}  // namespace gpuseq::bench
