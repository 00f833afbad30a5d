#pragma once

#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/phases/search/strategy.hpp"
#include "bench/plan/state.hpp"

namespace gpuseq::bench {

/// Work a second by keys of states.
using ExpectedRates = std::unordered_map<std::string, double>;

/// Searches the states of a plan, each contest (family, problem and device) for itself and one problem after
/// the other, as loading them takes time. External tools are always measured. If the plan has a sample of a
/// variant's points, the neighbours of each point that was measured join the candidates. Where the
/// config lists first points, they are measured before next() is asked, and the strategy searches near the
/// fastest few of them.
class Search {
 public:
  /// @param planned  must outlive the search
  /// @param expected  rates by the keys of states, as far as they are known before anything is measured; of a
  /// search
  ///   for another objective they say nothing
  /// @param sampled  the variants of which the plan has a sample
  /// @param data_bytes  as StateOutline has them, by which points without a kernel are known
  Search(std::span<const State> planned, const TuneOptions& options, std::uint64_t seed,
         const ExpectedRates& expected = {}, SelectedSpaces sampled = {},
         std::map<std::string, std::uint64_t> data_bytes = {});

  /// The state to measure next: one of every contest of the first problem that is not searched to its end, or
  /// nothing. It follows from the records of phase "sweep" alone, in their order.
  std::vector<State> next(std::span<const results::Record> records) const;

  /// Whether every state of the plan is measured, so that there is nothing to choose.
  static bool takes_all(const TuneOptions& options);
  /// Whether expected scores change the points that it tries.
  static bool uses_expectations(const TuneOptions& options);
  /// How many states will be measured in all.
  std::size_t evaluations() const;
  /// The states of the config's first points in their order; contests of a problem take turns.
  std::vector<State> first() const;
  /// States of these records that the plan lacks.
  std::vector<State> beyond_plan(std::span<const results::Record> records) const;

 private:
  /// A first point of the config.
  struct First {
    std::size_t candidate = 0;
    std::vector<std::size_t> kept;  // features of the variant and the axes that the config names
  };
  struct Contest {
    std::vector<const State*> states;  // those of the plan first
    std::vector<bool> runs = {};       // by state: false where it is known to be unsupported
    std::size_t planned = 0;
    Coordinates places = {};
    Candidates candidates = {};
    std::size_t evaluations = 0;  // at most
    std::vector<First> first = {};
  };
  /// The state that shares a problem.
  struct Group {
    std::vector<const State*> others;   // other programs
    std::vector<std::size_t> contests;  // in contests_
  };
  struct Place {
    std::size_t contest = 0, candidate = 0;
  };

  static std::vector<First> first_of(const Contest& contest, std::span<const VariantPoint> points);
  /// By candidate, whether it runs and is near one of the fastest first points, if the contest has any.
  static std::vector<bool> near_fastest(const Contest& contest, std::span<const Tried> tried);
  bool grows(const State& state) const;
  bool runs(const State& state) const;
  /// Adds the neighbours of a state to its contest.
  void grow(std::size_t contest, std::size_t candidate) const;
  /// Back to the states of the plan.
  void forget_grown() const;
  /// The places of records' states, each once, with their records; candidates grow on the way.
  std::vector<std::pair<Place, const results::Record*>> placed(
      std::span<const results::Record> records) const;
  /// The points tried of each contest, in the order of the records, by the objective whose turn it is.
  std::vector<std::vector<Tried>> tried_in(std::span<const results::Record> records) const;

  std::vector<Objective> objectives_;
  std::uint64_t seed_;
  std::unique_ptr<Strategy> strategy_;
  SelectedSpaces sampled_;
  std::map<std::string, std::uint64_t> data_bytes_;
  std::vector<Group> groups_;
  // Derived from the plan and the records alone; cached because the records of one call are those of
  // the last call and some more.
  mutable std::vector<Contest> contests_;
  mutable std::unordered_map<std::string, Place> places_;  // of kernels, by their keys
  mutable std::deque<State> grown_;
  mutable std::vector<std::string> grown_from_;  // keys of states, in the order of the records
};

}  // namespace gpuseq::bench
