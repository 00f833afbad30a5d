#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "results/record.hpp"

/// Time by phase from the data to the answers, from a record's samples, side samples and facts.
namespace gpuseq::results {

/// Phases in the order in which they happen. `index`: loading from the cache, or building; `words`: k-mer
/// tables of a suffix tree; `locking`: additional time of the first download, for its pages.
enum class Phase { index, words, upload_index, queries, kernel, locking, download, listing, printing };
inline constexpr std::array kPhases{Phase::index,    Phase::words,   Phase::upload_index,
                                    Phase::queries,  Phase::kernel,  Phase::locking,
                                    Phase::download, Phase::listing, Phase::printing};

struct PhaseTime {
  Phase phase;
  double seconds;
};

/// Times of records by phase. The first state that needs k-mer tables makes them, and other states reuse
/// them. Each state is charged for them, wherever they were timed.
class PhaseTimes {
 public:
  /// Notes the times that other records are charged with.
  /// @param scope  in which tables are reused: a run and its device
  void note(const Record& record, const std::string& scope);

  /// The known non-zero times, in order, without compilation. For a single download, locking is part of it.
  std::vector<PhaseTime> of(const Record& record, const std::string& scope) const;

  /// Whether the k-mer tables of a record were timed in another state.
  bool words_of_another(const Record& record, const std::string& scope) const;

 private:
  std::map<std::string, double> words_s_;  // by the key of shared tables
};

/// Waiting time of a user who has the data and wants the answers.
struct Waits {
  double kernel_s = 0, total_s = 0;
  std::map<std::string, double> parts = {};  // "index", "transfers", "kernel", "output"; the sum is total_s
};

/// The waits of a record with a rate, or the reason why they are incomplete: copies of a GPU were not timed.
Maybe<Waits> waits_of(const Record& record, const PhaseTimes& times, const std::string& scope);

}  // namespace gpuseq::results
