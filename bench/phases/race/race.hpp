#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "bench/config/config.hpp"

namespace gpuseq::bench {

/// A score, of which more is better, with the interval that its own samples carry; both ends are the score
/// where they carry none.
struct Score {
  double value = 0, low = 0, high = 0;
};

/// A participant of a race, or a possible one.
struct Racer {
  Score sweep;
  /// The results of the rounds in which it was measured again; nothing where it failed.
  std::map<int, std::optional<Score>> rounds = {};
};

struct RaceRules {
  std::size_t first = 3;  // so many of the sweep race in any case
  int rounds = 10;        // at most
  /// Confidence that no racer is dropped by chance, in all rounds together.
  double confidence = 0.95;
  /// Racers less than this apart are a tie that no further round is spent on.
  double margin = 0.01;
};

/// The current state of a race.
struct Race {
  int round = 0;                  // the next one
  int rounds = 0;                 // that have a measured racer
  std::vector<std::size_t> next;  // who is to be measured in the next one, best of the sweep first; empty: it
                                  // is over
  /// The best, and those that none is distinguished from as faster; empty before the first measurement.
  std::vector<std::size_t> tied;
  std::vector<std::size_t> dropped;  // the last one first
  std::size_t left_out = 0;          // whose sweep overlaps the best's but for whom there was no room
};

/// Besides the first few those race whose interval in the sweep overlaps that of the best, up to kMostRacers.
///
/// Measures racers in turn, so that slow changes meet all of a round alike. By rounds, the
/// logarithm of a racer's score over the leader's has an interval by Student's t; once that lies
/// under 0, the racer is dropped. It is over when one is left (and was measured three times), when
/// all that are left are within the margin, or by the rounds. A racer whose sweep is above the
/// leader's rounds joins later: none that might be better is left out for a lucky sample of
/// another. With fewer rounds than the three that Student's t takes, racers are distinguished where
/// the intervals of their own samples are apart in each round. Pure: the records alone decide the
/// next racers. Source: Maron and Moore 1997 (racing); Birattari et al. 2002 (in blocks).
/// @param racers  best of the sweep first
Race run_race(std::span<const Racer> racers, const RaceRules& rules);

}  // namespace gpuseq::bench
