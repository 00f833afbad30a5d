#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bench/config/config.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// One point of a contest, with what its records of one phase say together.
struct Candidate {
  results::StateKey key;
  double score = 0;                          // median over the records of the objective's metric
  const results::Record* typical = nullptr;  // the record whose metric is nearest to the score
};

/// The contest of one family, problem, device and objective.
struct Contest {
  std::string family, device;
  Point problem;
  Objective objective;
  std::vector<Candidate> ranking;  // best first; with a limit, those that keep to it
  /// With a limit: the best of all, and what holds least of what says what it holds.
  std::optional<Candidate> without_limit = {}, least = {};
};

/// The bytes that a candidate holds; nullopt where its record does not say.
std::optional<std::uint64_t> held_bytes(const Candidate& candidate);

/// The objective's metric of a record; nullopt where it has none.
std::optional<double> metric_of(const results::Record& record, const Objective& objective);

/// Ranks the kernels of each contest by their sweep records; those that were measured again in phase "tune"
/// stand first and are ranked by these alone, so that a lucky sample of the sweep does not pick the winner.
/// Records of phase "winner" say what a winner's extra passes are, not who it is; those of phase "size" how
/// large a problem is to be.
/// @param max_bytes  what holds more, or does not say what it holds, is in no ranking
std::vector<Contest> contests(std::span<const results::Record> records, std::span<const Objective> objectives,
                              const std::optional<std::uint64_t>& max_bytes = {});

/// The states to measure again: the best `remeasure` of every contest, judged by the sweep alone. Once these
/// have their records of phase "tune", those as well whose sweep says more than the best of them now does,
/// the next `remeasure` of them: none that might be better is left out for a lucky sample of another. Those
/// that have been measured again stay in the list. With a limit both of those that keep to it and of all.
std::vector<results::StateKey> to_remeasure(std::span<const results::Record> records,
                                            const TuneOptions& options);

}  // namespace gpuseq::bench
