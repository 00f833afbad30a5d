#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/phases/predict/expected_rates.hpp"
#include "bench/run/phases/size_phase.hpp"

namespace gpuseq::bench {

/// Names the first points of a search where the budget cuts them.
inline constexpr const char* kFirstPoints = "first points of the search";

/// The phases of a run that measure its kernels: the sweep or the search, the race of the best, and the
/// counters and energy of the winners.
class KernelPhases {
 public:
  /// @param kernels  of the plan, with those at sizes that the run found
  /// @param sampled  variants of which `kernels` has a sample
  KernelPhases(const RunInputs& inputs, std::vector<State> kernels, SelectedSpaces sampled,
               const SizePhase& sizes, const ProbePhase& probes, Recorder& recorder);

  /// @param problems  of which other shards have candidates: only the merged run has all
  void do_not_race(std::set<std::string> problems) { divided_ = std::move(problems); }
  /// Measures all kernels, of each problem within its share of the budget, or those that a search asks for.
  void sweep_or_search();
  /// Those that will race at least, once they are known.
  std::vector<State> best() const;
  /// Measures the best of each problem again, in rounds, until their order is certain or the problem's share
  /// of the remaining budget ends.
  void race();
  void measure_winners();

 private:
  void sweep();
  /// Measures the states of one problem until the deadline.
  void sweep_by_rates(std::vector<State>& states);
  void search();
  /// The rates that the runs in tune.from predict before any kernel is measured.
  ExpectedRates expected_rates_of_kernels() const;
  /// A problem for people.
  std::string words_of(const results::StateKey& key) const;
  /// @param records  of one problem's kernels
  std::vector<State> next_in_race(std::span<const results::Record> records) const;
  std::vector<State> winners() const;

  const RunInputs& inputs_;
  std::vector<State> kernels_;
  SelectedSpaces sampled_;
  const SizePhase& sizes_;
  const ProbePhase& probes_;
  Recorder& recorder_;
  std::map<std::string, std::size_t> planned_;  // key -> place in kernels_
  std::set<std::string> divided_;
};

}  // namespace gpuseq::bench
