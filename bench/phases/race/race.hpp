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

/// What takes part in a race, or might.
struct Racer {
  Score sweep;
  /// What the rounds in which it was measured again found; nothing where it failed.
  std::map<int, std::optional<Score>> rounds = {};
};

struct RaceRules {
  std::size_t first = 3;  // so many of the sweep race in any case
  int rounds = 10;        // at most
  /// That nobody is dropped by chance, in all rounds together.
  double confidence = 0.95;
  /// Racers less than this apart are a tie that no further round is spent on.
  double margin = 0.01;
};

/// A race as it stands.
struct Race {
  int round = 0;                  // the next one
  int rounds = 0;                 // that anybody took part in
  std::vector<std::size_t> next;  // who is to be measured in the next one, best of the sweep first; empty: it
                                  // is over
  /// Those that are not told apart from the best, itself first; empty before anybody was measured.
  std::vector<std::size_t> tied;
  std::vector<std::size_t> dropped;  // the last one first
  std::size_t left_out = 0;          // whose sweep overlaps the best's but for whom there was no room
};

/// Besides the first few those race whose interval in the sweep overlaps that of the best, up to kMostRacers.
///
/// Measures racers in turn, so that what changes with time meets all of a round alike. By rounds, the
/// logarithm of a racer's score over the leader's has an interval by Student's t; once that lies under 0, the
/// racer is dropped. It is over when one is left (and was measured three times), when all that are left are
/// within the margin, or by the rounds. Whose sweep says more than the leader's rounds do joins later: none
/// that might be better is left out for a lucky sample of another. With fewer rounds than the three that
/// Student's t takes, racers are told apart where the intervals of their own samples are apart in each round.
/// Pure: who is next follows from what was measured alone. Source: Maron and Moore 1997 (racing); Birattari
/// et al. 2002 (in blocks).
/// @param racers  best of the sweep first
Race run_race(std::span<const Racer> racers, const RaceRules& rules);

}  // namespace gpuseq::bench
