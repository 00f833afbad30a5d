#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "results/record.hpp"

/// Where a user's time goes, from the data to the answers: out of a record's samples, its side samples and
/// its facts.
namespace gpuseq::results {

/// Phases in the order in which they happen. `index`: from its cache or built; `words`: tables of words of a
/// suffix tree; `locking`: what the first download takes longer than later ones, for the pages that it goes
/// to.
enum class Phase { index, words, upload_index, queries, kernel, locking, download, listing, printing };
inline constexpr std::array kPhases{Phase::index,    Phase::words,   Phase::upload_index,
                                    Phase::queries,  Phase::kernel,  Phase::locking,
                                    Phase::download, Phase::listing, Phase::printing};

struct PhaseTime {
  Phase phase;
  double seconds;
};

/// Times of records by phase. Tables of words are made by the first state that needs them and are kept for
/// the others: each state is charged with them, wherever they were timed.
class PhaseTimes {
 public:
  /// Takes the times that other records are charged with.
  /// @param scope  within which they are kept for others: a run and its device
  void note(const Record& record, const std::string& scope);

  /// Those that are known and not 0, in their order. Of a single download, locking is part of it. Compilation
  /// is left out.
  std::vector<PhaseTime> of(const Record& record, const std::string& scope) const;

  /// Whether the tables of words of a record were timed in another state.
  bool words_of_another(const Record& record, const std::string& scope) const;

 private:
  std::map<std::string, double> words_s_;  // by what tables have in common
};

/// What a user waits for who has the data and wants the answers.
struct Waits {
  double kernel_s = 0, total_s = 0;
  std::map<std::string, double> parts = {};  // "index", "transfers", "kernel", "output"; the sum is total_s
};

/// The waits of a record with a rate; without them why it does not say them all: a GPU's copies were not
/// timed.
Maybe<Waits> waits_of(const Record& record, const PhaseTimes& times, const std::string& scope);

}  // namespace gpuseq::results
