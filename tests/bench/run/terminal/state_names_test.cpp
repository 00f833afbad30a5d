#include "bench/run/terminal/state_names.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/bench/toy_registry.hpp"

namespace gpuseq::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Eight hundred problems of one variant, of which some have labels.
class StateNamesOfManyProblems : public ::testing::Test {
 protected:
  StateNamesOfManyProblems() {
    for (std::int64_t size = 0; size < 800; ++size) {
      State& state = states_.emplace_back();
      state.key = {.family = "toy", .variant = "steady", .problem = {}, .point = {}, .device = "cpu"};
      state.key.problem.set("size", size);
      state.family = &family_;
      state.variant = &family_.variants().front();
    }
    names_.add(states_);
  }

  /// The name of a problem whose label is known from now on.
  std::string learned(std::size_t problem) {
    results::Record record;
    record.state = states_[problem].key;
    record.problem_label = fmt::format("bag {}", problem);
    names_.learn(record);
    return names_.of(record.state);
  }

  testing::ToyFamily family_;
  std::vector<State> states_;
  StateNames names_;
};

TEST_F(StateNamesOfManyProblems, HaveTheFirstLabelsAtOnce) {
  for (std::size_t problem = 0; problem < 5; ++problem)
    EXPECT_THAT(learned(problem), HasSubstr(fmt::format("bag {}", problem)));
}

TEST_F(StateNamesOfManyProblems, NameAProblemByItsLabelOrByWhatDistinguishesIt) {
  EXPECT_EQ(names_.problem(states_[7].key), "size=7");
  learned(7);
  EXPECT_EQ(names_.problem(states_[7].key), "bag 7");
}

TEST_F(StateNamesOfManyProblems, AreMadeAgainForAQuarterMoreLabels) {
  std::size_t made = 0;
  for (std::size_t problem = 0; problem < states_.size(); ++problem)
    if (learned(problem).find("bag") != std::string::npos) ++made;
  EXPECT_GE(made, 20u);
  EXPECT_LE(made, 40u);
}

}  // namespace
}  // namespace gpuseq::bench
