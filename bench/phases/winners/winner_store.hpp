#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/phases/winners/tuned_file.hpp"

namespace gpuseq::bench {

/// A tuned.json of winners of one machine, and nothing else.
/// @param winners  as KeptWinner::json
std::string winners_text(const ProfileKey& key, std::span<const nlohmann::ordered_json> winners);

/// Winners in the cache, a file for each machine (winner_key()) and family, as tuned.json has them. They are
/// believed only where no other user can have made or changed them.
class WinnerStore {
 public:
  /// @param cache  of the program; empty: nothing is kept
  explicit WinnerStore(const std::filesystem::path& cache);

  /// Whether there are any, of whatever machine.
  bool empty() const;

  /// @param remark  is set to why a file that is there cannot be used; one that is damaged is thrown away, of
  ///   one that names another machine the winners of that machine are ignored
  std::vector<KeptWinner> of(const ProfileKey& key, const std::string& family, std::string& remark) const;

  /// Keeps a winner in the place of that of its problem and objective before it: unless that was not among
  /// those which it beat, and is better.
  /// @param beaten  points of the winner's contest: variant and point
  /// @returns why it could not be kept; empty: it is, or need not be
  std::string add(const ProfileKey& key, const KeptWinner& winner,
                  const std::vector<std::pair<std::string, Point>>& beaten) const;

 private:
  std::filesystem::path file_of(const ProfileKey& key, const std::string& family) const;
  std::filesystem::path folder_;
};

/// The winner by one of the metrics, the first that any has, whose problem is nearest; nullptr: none is of
/// the class.
const KeptWinner* nearest(const std::vector<KeptWinner>& winners, const ProblemClass& problem,
                          const std::vector<std::string>& metrics);

}  // namespace gpuseq::bench
