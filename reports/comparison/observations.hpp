#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/comparison/comparison.hpp"
#include "results/statistics/inference.hpp"

/// What the two sides of a comparison hold of each state. Refers to the records; does not own them.
namespace gpuseq::comparison {

/// The records of one state on one side.
struct Observation {
  const results::StateKey* state = nullptr;  // of one of the records; null: the side does not have it
  std::string_view label = {};               // of its problem, where a record has one
  std::vector<std::vector<const ComparedRecord*>> processes = {};  // ok, of processes that have some
  std::vector<const ComparedRecord*> failed = {}, skipped = {};    // in the order of the processes
  bool refined_only = true;  // no phase but the refinement of curves has it

  bool has_numbers() const { return !processes.empty(); }
};

/// By state; axes are sorted by name, so that their order in a record does not tell states apart.
/// @param defaults  of axes that one side's build has and the other's had not yet: a state without them is
/// the same as one that has them
std::map<std::string, Observation> observe(const Side& side, const results::AxisDefaults& defaults = {});

/// The values of one side that are compared, and what they are.
struct Values {
  std::vector<double> seconds;
  std::string unit;  // "process", "repetition", "sample"
  results::Order order = results::Order::exchangeable;
  std::size_t disturbed = 0;  // processes that neighbours disturbed
  bool left_out = false;      // whether these are not among the values
};

/// Both sides' values, of the same unit and, where there is one, the same phase (see compare()).
std::pair<Values, Values> values_of(const Observation& base, const Observation& next);

}  // namespace gpuseq::comparison
