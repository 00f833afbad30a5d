#pragma once

#include <string>
#include <vector>

#include "reports/figures/exact_match/points.hpp"
#include "results/statistics/phases.hpp"

/// Where the time of a search goes, from the reference to the printed matches.
namespace gpuseq::reports::exact_match {

using results::kPhases;
using results::Phase;
using results::PhaseTime;

/// "tables of words"
const char* phase_name(Phase phase);

/// Times of the records of a report by phase; tables of words are shared within a run and device.
class PhaseTimes {
 public:
  explicit PhaseTimes(const ReportData& data);

  std::vector<PhaseTime> of(const Entry& entry) const;
  /// Whether the tables of words of an entry were timed in another state.
  bool words_of_another(const Entry& entry) const;

 private:
  results::PhaseTimes times_;
};

/// "built" or "from the cache": the tree of a record; empty where it does not say.
std::string tree_words(const Entry& entry);

}  // namespace gpuseq::reports::exact_match
