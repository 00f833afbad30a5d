#include "bench/run/terminal/state_names.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "bench/plan/axis_defaults.hpp"

namespace gpuseq::bench {
namespace {

std::string problem_of(const results::StateKey& state) {
  return fmt::format("{}/{}", state.family, state.problem.to_string());
}

}  // namespace

void StateNames::add(std::span<const State> states) {
  defaults_.update(defaults_of(states));
  for (const State& state : states) stale_ |= states_.emplace(state.key.to_string(), state.key).second;
}

void StateNames::learn(const results::Record& record) {
  if (record.problem_label.empty()) return;
  if (labels_.emplace(problem_of(record.state), record.problem_label).second)
    stale_ |= 4 * labels_.size() >= 5 * named_labels_;
}

void StateNames::refresh() {
  if (!std::exchange(stale_, false)) return;
  std::vector<results::LabelledState> labelled;
  for (const auto& [key, planned] : states_) {
    const auto label = labels_.find(problem_of(planned));
    labelled.push_back({&planned, label == labels_.end() ? "" : label->second});
  }
  names_ = results::ShortNames(labelled, defaults_);
  named_labels_ = labels_.size();
}

const std::string& StateNames::of(const results::StateKey& state) {
  refresh();
  return name_ = names_.of(state);
}

std::string StateNames::problem(const results::StateKey& state) {
  refresh();
  const std::string name = names_.problem(state);
  return name.empty() ? state.problem.to_string() : name;
}

}  // namespace gpuseq::bench
