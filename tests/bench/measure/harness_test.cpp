#include "bench/measure/harness.hpp"

#include <gmock/gmock.h>

#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

std::vector<State> numbered_states(std::int64_t count) {
  std::vector<State> states;
  for (std::int64_t i = 0; i < count; ++i) {
    State state;
    state.key = {.family = "toy", .variant = "steady", .problem = {}, .point = {{"d", i}}, .device = "cpu"};
    states.push_back(std::move(state));
  }
  return states;
}

results::Record measured() {
  results::Record record;
  record.statistics.emplace().median_s = 1e-6;
  return record;
}

// Registered all at once, as many benchmarks take the library far longer than a test may.
TEST(Harness, RunsManyStatesInTheirOrder) {
  constexpr std::int64_t kStates = 60'000;
  std::int64_t next = 0, out_of_turn = 0;
  run_states(numbered_states(kStates), [&](const State& state) {
    out_of_turn += state.key.point.integer("d") != next++ ? 1 : 0;
    return measured();
  });
  EXPECT_EQ(next, kStates);
  EXPECT_EQ(out_of_turn, 0);
}

TEST(Harness, RunsNoStateAfterAnErrorOfAnEarlierOne) {
  int runs = 0;
  const auto measure = [&](const State& state) -> results::Record {
    ++runs;
    if (state.key.point.integer("d") == 150) throw ResourceError("the disk is full");
    return measured();
  };
  EXPECT_THROW(run_states(numbered_states(1'000), measure), ResourceError);
  EXPECT_EQ(runs, 151);
}

TEST(Harness, FiltersByNameWithoutTheLibrary) {
  BenchmarkFlags flags;
  flags.filter = "-d=1?[0-8]/";
  std::vector<std::int64_t> kept;
  for (const State& state : filtered(numbered_states(30), flags))
    kept.push_back(state.key.point.integer("d"));
  EXPECT_THAT(kept, ::testing::ElementsAre(9, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29));
}

}  // namespace
}  // namespace gpuseq::bench
