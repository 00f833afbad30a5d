#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bench/config/config.hpp"
#include "results/record.hpp"
#include "results/statistics/rounds.hpp"

namespace gpuseq::bench {

/// One point of a contest, with the joint result of its records: those of the race, else those of the sweep.
struct Candidate {
  results::StateKey key;
  double score = 0;                          // geometric mean of the objective's metric over the records
  const results::Record* typical = nullptr;  // the record whose metric is nearest to the score
  results::CaseRate rate = {};               // over the records
  /// How good it is compared with the winner, 1 as good: in the rounds that both raced, else in the sweep.
  double share_of_winner = 1;
};

/// The contest of one family, problem, device and objective.
struct Contest {
  std::string family, device;
  Point problem;
  Objective objective;
  /// The winner, those that tie with it, those that the race did not distinguish but are further behind,
  /// those that it found to be slower, those of the sweep; each in the order of their shares of the winner.
  /// With a limit, those that keep to it.
  std::vector<Candidate> ranking;
  /// With a limit: the best of all, and the candidate with the smallest known footprint.
  std::optional<Candidate> without_limit = {}, least = {};
  bool beyond_limit = false;  // whether any was measured that does not keep to the limit
  int rounds = 0;             // of the race that distinguished the first of the ranking; 0: none
  std::size_t raced = 0;      // took part in it
  std::size_t tied = 1;       // so many at the front tie; the one with the least memory wins
  std::size_t left_out = 0;   // for which the race had no room, though the sweep does not tell them apart
};

bool keeps_to(const MemoryLimits& limits, const HeldMemory& memory);

/// The bytes that a candidate holds; nullopt where its record does not say.
std::optional<std::uint64_t> held_bytes(const Candidate& candidate);

/// Ranks the kernels of each contest by the race of the best few (race.hpp), whose records are of phase
/// "tune", and behind them by their sweep: a lucky sample of it does not pick the winner. Those that a race
/// does not distinguish and that are within 2 % of the best tie: the one with the smallest footprint wins.
/// Records of phase "winner" are a winner's extra passes and do not select it; those of phase "size" set the
/// size of a problem. Records without a rate above 0 take no part. With a limit, a candidate with a larger or
/// unknown footprint is in no ranking.
std::vector<Contest> contests(std::span<const results::Record> records, const TuneOptions& options);

/// A state to be measured again, in a round of a race.
struct InRound {
  results::StateKey key;
  int round = 0;
};

/// Who is measured next in the races of all contests, with a limit both of those that keep to it and of all.
/// It follows from the records alone. Empty: all races are over.
std::vector<InRound> next_round(std::span<const results::Record> records, const TuneOptions& options);

}  // namespace gpuseq::bench
