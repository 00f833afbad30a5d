#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/state.hpp"
#include "bench/tune/strategy.hpp"

namespace gpuseq::bench {

/// Work a second by keys of states.
using ExpectedRates = std::unordered_map<std::string, double>;

/// Searches the states of a plan, each contest (family, problem and device) for itself and one problem after
/// the other, as loading them takes time. What other programs do is always measured.
class Search {
 public:
  /// @param planned  must outlive the search
  /// @param expected  rates by the keys of states, as far as they are known before anything is measured; of a
  /// search
  ///   for another objective they say nothing
  Search(std::span<const State> planned, const TuneOptions& options, std::uint64_t seed,
         const ExpectedRates& expected = {});

  /// What to measure next: a state of every contest of the first problem that is not searched to its end, or
  /// nothing. It follows from the records of phase "sweep" alone, in their order.
  std::vector<State> next(std::span<const results::Record> records) const;

  /// Whether every state of the plan is measured, so that there is nothing to choose.
  static bool takes_all(const TuneOptions& options);
  /// Whether what is expected beforehand changes what it tries.
  static bool uses_expectations(const TuneOptions& options);
  /// How many states will be measured in all.
  std::size_t evaluations() const;

 private:
  struct Contest {
    std::vector<const State*> states;
    Candidates candidates;
    std::size_t evaluations = 0;  // at most
  };
  /// What shares a problem.
  struct Group {
    std::vector<const State*> others;   // other programs
    std::vector<std::size_t> contests;  // in contests_
  };
  struct Place {
    std::size_t contest = 0, candidate = 0;
  };

  /// Of each contest what was tried, in the order of the records, by the objective whose turn it is.
  std::vector<std::vector<Tried>> tried_in(std::span<const results::Record> records) const;

  std::vector<Objective> objectives_;
  std::uint64_t seed_;
  std::unique_ptr<Strategy> strategy_;
  std::vector<Group> groups_;
  std::vector<Contest> contests_;
  std::unordered_map<std::string, Place> places_;  // of kernels, by their keys
};

}  // namespace gpuseq::bench
