#include "bench/run/phases/turns.hpp"

#include <gmock/gmock.h>

#include <map>

#include "tests/bench/records.hpp"

namespace gpuseq::bench {
namespace {

using testing::ok_record;

/// States of two kernels and a tool, points of each.
std::vector<State> states(std::int64_t points) {
  std::vector<State> all;
  for (const auto& [variant, kind] :
       {std::pair("other", "tool"), std::pair("slow", "kernel"), std::pair("fast", "kernel")})
    for (std::int64_t k = 0; k < points; ++k)
      all.push_back({.key = {"toy", variant, {}, {{"k", k}}, "cpu"}, .kind = kind, .phase = "sweep"});
  return all;
}

/// The record of a state that takes a second: `fast` does ten times as much in it.
results::Record measured(const State& state) {
  results::Record record = ok_record(state.key, state.kind, "sweep",
                                     {state.key.variant == "fast" ? 1000.0 : 100.0, "toys"}, {1, 1, 1});
  record.took_s = 1;
  return record;
}

std::vector<std::string> order_of(const std::vector<State>& states) {
  Turns turns(states);
  std::vector<std::string> order;
  while (const State* state = turns.next()) {
    order.push_back(state->key.variant);
    turns.add(measured(*state));
  }
  return order;
}

TEST(Turns, TakeEachVariantOnceThenByItsRate) {
  const std::vector<std::string> order = order_of(states(12));
  ASSERT_EQ(order.size(), 36u);
  EXPECT_EQ(order[0], "slow");
  EXPECT_EQ(order[1], "fast");
  // Ten seconds of the fast one for each of the slow one.
  EXPECT_EQ(std::count(order.begin() + 2, order.begin() + 11, "fast"), 9);
}

TEST(Turns, TakeToolsLast) {
  const std::vector<std::string> order = order_of(states(3));
  EXPECT_EQ(std::vector<std::string>(order.begin() + 6, order.end()), std::vector<std::string>(3, "other"));
}

TEST(Turns, OfAVariantThatFailedComeBehindTheOthers) {
  const std::vector<State> all = states(2);
  Turns turns(all);
  std::vector<std::string> order;
  while (const State* state = turns.next()) {
    order.push_back(state->key.variant);
    results::Record record = measured(*state);
    if (state->key.variant == "slow") {
      record.status = results::Status::failed;
      record.statistics.reset();
    }
    turns.add(record);
  }
  EXPECT_EQ(order, (std::vector<std::string>{"slow", "fast", "fast", "slow", "other", "other"}));
}

}  // namespace
}  // namespace gpuseq::bench
