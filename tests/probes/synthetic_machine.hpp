#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "probes/levels/levels.hpp"

namespace gpuseq::probes {

/// Random numbers that are the same with every standard library.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53;
  }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform(0x1p-53, 1)));
    return radius * std::cos(uniform(0, 6.283185307179586));
  }
  std::size_t index(std::size_t size) {
    return static_cast<std::size_t>(uniform(0, static_cast<double>(size)));
  }

 private:
  std::mt19937_64 random_;
};

/// A machine whose levels are known, and the results that probes would have on it. It is made apart from the
/// model: the time of an access to a level is the longer of the times of a request and of its bytes there.
struct SyntheticMachine {
  struct Level {
    double capacity = 0;    // bytes; the last level has none
    double request_ns = 0;  // of many at a time
    double bytes_per_ns = 0;
    double latency_ns = 0;
  };
  std::vector<Level> levels;
  double reach = 0, walk_ns = 0;  // of translation next to memory; 0: none

  /// @param ends  capacities, at least an octave and a half apart
  static SyntheticMachine random(Draws& draws, std::size_t ends) {
    SyntheticMachine machine;
    double at = draws.uniform(15, 16.5);  // log2 bytes
    const double spare = 32.5 - at - 1.5 * static_cast<double>(ends);
    double request = draws.uniform(0.01, 0.1), rate = draws.uniform(200, 5000),
           latency = draws.uniform(1, 20);
    for (std::size_t i = 0; i <= ends; ++i) {
      machine.levels.push_back({i == ends ? 0 : std::exp2(at), request, rate, latency});
      at += 1.5 + draws.uniform(0, 1.5 * spare / static_cast<double>(ends + 1));
      request *= draws.uniform(1.4, 3);
      rate /= draws.uniform(1.4, 3);
      latency *= draws.uniform(1.5, 4);
    }
    return machine;
  }

  double access_ns(std::size_t level, double block) const {
    return std::max(levels[level].request_ns, block / levels[level].bytes_per_ns);
  }

  /// @param blind  levels whose accesses take this curve no longer than those of the level before
  double time_at(double footprint, const LevelCurve& curve, const std::vector<bool>& blind) const {
    double time = 0, last = 0, served = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const double own = curve.one_at_a_time ? levels[i].latency_ns : access_ns(i, curve.block_bytes);
      last = blind[i] ? last : own;
      const double capacity = levels[i].capacity;
      double share = capacity == 0 ? 1 : std::min(1.0, capacity / footprint);
      // In turn, the oldest goes first: a level that is exceeded by a half keeps nothing.
      if (capacity > 0 && curve.order == AccessOrder::cycle)
        share = std::clamp(3 - 2 * footprint / capacity, 0.0, 1.0);
      time += std::max(0.0, share - served) * last;
      served = std::max(served, share);
    }
    if (reach > 0 && footprint > reach && !curve.one_at_a_time)
      time = std::max(time, walk_ns * (1 - reach / footprint));
    return time;
  }

  /// Curves of random blocks and of a chase, three passes a point; some are blind to some levels, no level to
  /// fewer than three.
  std::vector<LevelCurve> probed(Draws& draws, double noise, double largest = 0x1p35,
                                 double step = 0.5) const {
    std::vector<LevelCurve> curves;
    for (const double block : {32.0, 64.0, 128.0, 256.0})
      curves.push_back(
          {.name = "random " + std::to_string(static_cast<int>(block)), .block_bytes = block, .points = {}});
    curves.push_back({.name = "one at a time", .one_at_a_time = true, .block_bytes = 64, .points = {}});
    curves.push_back({.name = "chase",
                      .order = AccessOrder::cycle,
                      .one_at_a_time = true,
                      .block_bytes = 64,
                      .points = {}});
    std::vector<std::size_t> blinded(levels.size());
    for (LevelCurve& curve : curves) {
      std::vector<bool> blind(levels.size());
      for (std::size_t i = 1; i < levels.size(); ++i)
        if (blinded[i] < 3 && draws.uniform(0, 1) < 0.15) blind[i] = true, ++blinded[i];
      for (double x = 12; std::exp2(x) <= largest; x += step) {
        CurvePoint point{.footprint_bytes = std::exp2(x), .samples = {}};
        for (int pass = 0; pass < 3; ++pass)
          point.passes.push_back(time_at(point.footprint_bytes, curve, blind) *
                                 std::exp(noise * draws.normal()));
        point.samples = point.passes;
        curve.points.push_back(point);
      }
    }
    return curves;
  }
};

}  // namespace gpuseq::probes
