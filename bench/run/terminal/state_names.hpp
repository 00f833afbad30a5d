#pragma once

#include <map>
#include <span>
#include <string>

#include "bench/plan/state.hpp"
#include "results/names/short_names.hpp"

namespace gpuseq::bench {

/// Short names of the states of a run that goes on: more of them are planned,
/// and the labels of problems are known once the first record of each is there. Naming takes time in
/// proportion to all states: new labels are used when there are a quarter more of them.
class StateNames {
 public:
  void add(std::span<const State> states);
  void learn(const results::Record& record);
  const std::string& of(const results::StateKey& state);
  /// Its label, or the axes that distinguish it, where they are known; else all axes.
  std::string problem(const results::StateKey& state);

 private:
  void refresh();

  std::map<std::string, results::StateKey> states_;  // by key
  std::map<std::string, std::string> labels_;        // by family and problem
  results::AxisDefaults defaults_;
  results::ShortNames names_;
  std::string name_;
  std::size_t named_labels_ = 0;  // labels that names_ has
  bool stale_ = false;
};

}  // namespace gpuseq::bench
