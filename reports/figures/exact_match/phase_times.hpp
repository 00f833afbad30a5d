#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "reports/figures/exact_match/points.hpp"

/// Where the time of a search goes, from the reference to the printed matches.
namespace gpuseq::reports::exact_match {

/// Phases in the order in which they happen.
enum class Phase { tree, words, upload_tree, queries, kernel, locking, download, listing, printing };
inline constexpr std::array kPhases{Phase::tree,     Phase::words,   Phase::upload_tree,
                                    Phase::queries,  Phase::kernel,  Phase::locking,
                                    Phase::download, Phase::listing, Phase::printing};

/// "tables of words"
const char* phase_name(Phase phase);

struct PhaseTime {
  Phase phase;
  double seconds;
};

/// Times of records by phase. Tables of words are made by the first state that needs them and are kept for
/// the others: each state is charged with them, wherever they were timed.
class PhaseTimes {
 public:
  explicit PhaseTimes(const ReportData& data);

  /// Those that are known and not 0, in their order. The first download locks the pages that it goes to: what
  /// it takes longer than later ones is the phase `locking`; of a single download both are `download`.
  std::vector<PhaseTime> of(const Entry& entry) const;

  /// Whether the tables of words of an entry were timed in another state.
  bool words_of_another(const Entry& entry) const;

 private:
  std::map<std::string, double> words_s_;  // by what tables have in common
};

/// "built" or "from the cache": the tree of a record; empty where it does not say.
std::string tree_words(const Entry& entry);

}  // namespace gpuseq::reports::exact_match
