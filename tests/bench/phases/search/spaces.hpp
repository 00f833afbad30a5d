#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/phases/search/replay.hpp"
#include "results/record.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/system/random.hpp"

// Spaces whose every point's score is known.

namespace gpuseq::bench::testing {

/// @param keys  states of one contest
inline Candidates candidates_of(std::span<const results::StateKey> keys) {
  const Coordinates coordinates(keys);
  Candidates found;
  found.features = coordinates.features();
  for (const results::StateKey& key : keys) found.coordinates.push_back(coordinates.of(key));
  return found;
}

inline double best_of(std::span<const std::optional<double>> scores) {
  double most = 0;
  for (const auto& score : scores) most = std::max(most, score.value_or(0));
  return most;
}

struct KnownSpace {
  std::vector<results::StateKey> keys;
  std::vector<std::optional<double>> scores;

  double best() const { return best_of(scores); }
};

/// The share of the best score that a search finds, the median of 20 seeds.
inline double found_by(const Strategy& strategy, const Candidates& candidates,
                       std::span<const std::optional<double>> scores, std::size_t evaluations) {
  std::vector<double> shares;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    shares.push_back(replay(strategy, candidates, scores, evaluations, seed).back() / best_of(scores));
  return results::median(shares);
}

/// Two ways to search an index, of which one has an axis more: larger steps take fewer accesses of memory
/// until the index leaves the cache, threads and lanes suit each other, and the largest indexes do not fit.
/// Every score is off by up to 1 %.
inline KnownSpace index_space() {
  KnownSpace space;
  Random random(3);
  const auto add = [&](const char* variant, Point point, std::optional<double> score) {
    space.keys.push_back({"toy", variant, {{"size", 1}}, std::move(point), "cuda:0"});
    if (score) *score *= 1 + 0.01 * (2 * random.uniform() - 1);
    space.scores.push_back(score);
  };
  for (const bool one_hot : {false, true})
    for (const std::int64_t k : {1, 2, 3, 4})
      for (const std::int64_t d : {64, 128, 192, 448})
        for (const std::int64_t threads : {64, 128, 256, 512})
          for (const std::int64_t lanes : {1, 2, 4, 8})
            for (const char* counters : {"full", "alternate"})
              for (const std::int64_t in_flight :
                   one_hot ? std::vector<std::int64_t>{1, 2, 4} : std::vector<std::int64_t>{1}) {
                const double bytes =
                    std::pow(4.0, static_cast<double>(k)) * (one_hot ? 8 : 1) / static_cast<double>(d);
                std::optional<double> score;
                if (bytes < 20) {
                  const double lanes_wanted = std::log2(static_cast<double>(d) / 32);
                  const double off = std::log2(static_cast<double>(lanes)) - lanes_wanted / 2;
                  const double full = std::log2(static_cast<double>(threads) / 128);
                  score = 1e9 * static_cast<double>(k) * (one_hot ? 1.3 : 1) / (1 + 0.3 * bytes) /
                          (1 + 0.1 * off * off) / (1 + 0.05 * full * full) * (counters[0] == 'f' ? 1 : 0.9) *
                          (1 + 0.1 * std::log2(static_cast<double>(in_flight)));
                }
                Point point{{"k", k},
                            {"d", d},
                            {"counters", counters},
                            {"threads_per_block", threads},
                            {"lanes", lanes}};
                if (one_hot) point.set("in_flight", in_flight);
                add(one_hot ? "one_hot" : "cooperative", std::move(point), score);
              }
  return space;
}

}  // namespace gpuseq::bench::testing
