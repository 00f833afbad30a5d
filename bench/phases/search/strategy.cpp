#include "bench/phases/search/strategy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/contract/errors.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::bench {
namespace {

constexpr std::array kStrategies{
    NamedStrategy{"exhaustive", "every point, in the order of the plan", make_exhaustive},
    NamedStrategy{"random", "points at random", make_random},
    NamedStrategy{"greedy", "neighbours of the best, from another place once none of them is better",
                  make_greedy},
    NamedStrategy{"annealing", "a walk to neighbours, also to worse ones, the less the longer it lasts",
                  make_annealing},
    NamedStrategy{"genetic", "points that are made of two good ones", make_genetic},
    NamedStrategy{"guided", "where a model of the measured points expects the largest gain", make_guided,
                  true}};

class Exhaustive final : public Strategy {
  std::size_t choose(const Candidates&, std::span<const Tried>, std::span<const std::size_t> untried,
                     std::uint64_t) const override {
    return untried.front();
  }
};

class RandomSearch final : public Strategy {
  std::size_t choose(const Candidates&, std::span<const Tried> tried, std::span<const std::size_t> untried,
                     std::uint64_t seed) const override {
    return untried[Random(seed, tried.size()).below(untried.size())];
  }
};

}  // namespace

std::optional<std::size_t> Strategy::next(const Candidates& candidates, std::span<const Tried> tried,
                                          std::uint64_t seed, const std::vector<bool>& open) const {
  const auto is_open = [&](std::size_t candidate) { return open.empty() || open[candidate]; };
  std::vector<bool> is_tried(candidates.size(), false);
  std::vector<Tried> seen;
  for (const Tried& one : tried) {
    is_tried[one.candidate] = true;
    if (is_open(one.candidate)) seen.push_back(one);
  }
  std::vector<std::size_t> untried;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (!is_tried[i] && is_open(i)) untried.push_back(i);
  if (untried.empty()) return std::nullopt;
  return choose(candidates, seen, untried, seed);
}

std::unique_ptr<Strategy> make_exhaustive() {
  return std::make_unique<Exhaustive>();
}

std::unique_ptr<Strategy> make_random() {
  return std::make_unique<RandomSearch>();
}

std::span<const NamedStrategy> strategies() {
  return kStrategies;
}

const NamedStrategy& named_strategy(std::string_view name) {
  const auto found = std::ranges::find(kStrategies, name, &NamedStrategy::name);
  if (found != kStrategies.end()) return *found;
  std::string all;
  for (const NamedStrategy& one : kStrategies) all += fmt::format("{}{}", all.empty() ? "" : ", ", one.name);
  throw UsageError(fmt::format("no strategy \"{}\"; allowed: {}", name, all));
}

std::unique_ptr<Strategy> make_strategy(std::string_view name) {
  return named_strategy(name).make();
}

}  // namespace gpuseq::bench
