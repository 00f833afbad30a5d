#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "results/record.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::results {

/// Finds records of one problem that measured different data, so that their rates are not comparable.
class ProblemHashes {
 public:
  /// Ignores records of probes and records without a hash.
  /// @param where  place of the record, for the message: "line 3", "shard 2/3 in runs/b"
  /// @throws UsageError naming the problem with both hashes and both places
  void check(const Record& record, const std::string& where);
  /// Checks a problem whose data has this hash.
  void check(const StateKey& state, const std::string& hash, const std::string& where);
  /// Checks without throwing.
  /// @returns the problem with both hashes and both places, or nothing
  std::optional<std::string> difference(const StateKey& state, const std::string& hash,
                                        const std::string& where);

 private:
  struct Seen {
    std::string hash, where;
  };
  std::map<std::string, Seen> seen_;  // by family and problem
};

inline void ProblemHashes::check(const Record& record, const std::string& where) {
  if (record.kind != "probe") check(record.state, record.problem_hash, where);
}

inline void ProblemHashes::check(const StateKey& state, const std::string& hash, const std::string& where) {
  if (const auto difference = this->difference(state, hash, where))
    throw UsageError(fmt::format("{}; allowed: one hash for each problem", *difference));
}

inline std::optional<std::string> ProblemHashes::difference(const StateKey& state, const std::string& hash,
                                                            const std::string& where) {
  if (hash.empty()) return std::nullopt;
  std::string problem = fmt::format("{}/{}", state.family, state.problem.to_string());
  const auto [place, is_new] = seen_.try_emplace(std::move(problem), Seen{hash, where});
  const Seen& first = place->second;
  if (is_new || first.hash == hash) return std::nullopt;
  return fmt::format("{}: different data under one name: found problem_hash {} in {} and {} in {}",
                     place->first, first.hash, first.where, hash, where);
}

}  // namespace gpuseq::results
