#include <gmock/gmock.h>

#include "bench/plan/budget.hpp"
#include "bench/plan/sizes/size_rounds.hpp"
#include "tests/bench/sized_way.hpp"

// The sizes that a first look finds within its budget, with devices that obey laws fitted to
// a first look on an H200: a launch, loading and checking take as long as there.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::Each;
using ::testing::Ge;

Growth growth_from(std::int64_t from, int power = 1) {
  Growth growth = growth_of_toys();
  growth.from = from;
  growth.power = power;
  return growth;
}

/// A problem of the first look, and the size at which a full run measures it.
struct Look {
  SizedWay way;
  std::int64_t full;
};

Look look_at(Law gpu, Law cpu, Growth growth, Beside beside, std::int64_t full) {
  SizedWay way({{"steady_gpu", gpu}, {"steady", cpu}, {"slow", {cpu.start_s, cpu.rate / 5}}},
               std::move(growth), beside);
  way.config().sampling.min_samples = 3;
  way.config().sampling.max_samples = 10;
  way.config().sampling.max_seconds = 0.04;
  way.config().tune.remeasure = 2;
  way.config().tune.rounds = 2;
  return {std::move(way), full};
}

std::vector<Look> first_look() {
  std::vector<Look> all;
  const auto add = [&](auto... one) { all.push_back(look_at(one...)); };
  // Exact search, PaPaRa, SSV, MSV, Viterbi, distances, exact matches.
  add(Law{25e-6, 1.7e9}, Law{2e-4, 4.5e7}, growth_from(1000), Beside{0.6, 2e-7, 0.02, 5e-8}, 1'000'000);
  add(Law{1.4e-3, 5.7e5}, Law{3e-4, 3.4e4}, growth_from(8), Beside{0.05, 1e-5, 0.02, 1e-5}, 1'000'000);
  add(Law{9e-4, 1.07e8}, Law{2e-5, 8e6}, growth_from(100), Beside{0.1, 2.5e-6, 0.01, 4e-7}, 570'000);
  add(Law{1.6e-3, 9.5e7}, Law{2e-5, 8e6}, growth_from(100), Beside{0.1, 2.5e-6, 0.01, 4e-7}, 570'000);
  add(Law{2e-3, 1.8e7}, Law{2e-4, 7.5e5}, growth_from(100), Beside{0.1, 2.5e-6, 0.01, 8e-7}, 570'000);
  add(Law{8e-6, 3.2e10}, Law{2e-5, 3.7e8}, growth_from(128, 2), Beside{0.1, 3e-4, 0.02, 5e-5}, 16'384);
  add(Law{1e-3, 6e8}, Law{1e-4, 1e7}, growth_from(500), Beside{1.2, 1.2e-6, 0.1, 2e-7}, 1'000'000);
  return all;
}

class FirstLook : public ::testing::Test {
 protected:
  void find(double seconds) {
    found_ = sizes_within(
        looks_.size(), [seconds](std::span<const SizeStep>) { return seconds; },
        [this](std::size_t i, double limit_s) {
          return looks_[i].way.go({.seconds = limit_s, .devices = kDevices});
        });
  }
  /// Rates that GPUs reach at the sizes found, in shares of those of full runs.
  std::vector<double> gpu_shares() const {
    std::vector<double> shares;
    for (std::size_t i = 0; i < looks_.size(); ++i)
      shares.push_back(looks_[i].way.share_of_rate("steady_gpu", found_[i].found.at("cuda:0").size) /
                       looks_[i].way.share_of_rate("steady_gpu", looks_[i].full));
    return shares;
  }
  /// Seconds of the sizes on the way, of the sweeps and of measuring the best two of each device again twice.
  double took_s() const {
    double all = 0;
    for (std::size_t i = 0; i < looks_.size(); ++i) {
      const SizedWay& way = looks_[i].way;
      for (const results::Record& record : way.records_) all += record.took_s;
      std::int64_t loaded = 0;
      std::map<std::string, int> of_device;
      for (const State& state : sweep_at_sizes(way.problem(), found_[i].found, way.records_)) {
        const std::int64_t size = state.key.problem.integer("toys");
        const int again = of_device[state.key.device]++ < 2 ? 2 : 0;
        all += (1 + again) * way.took_s(state) + (size == loaded ? 0 : 2 * way.load_s(size));
        loaded = size;
      }
    }
    return all;
  }

  std::vector<Look> looks_ = first_look();
  std::vector<SizeStep> found_;
};

// 180 s with a GPU.
const double kSeconds = parts_of(180).end_s - parts_of(180).probes_s;

TEST_F(FirstLook, ReachesNineTenthsOfFullRunsOnGpus) {
  find(kSeconds);
  EXPECT_THAT(gpu_shares(), Each(Ge(0.9)));
}

TEST_F(FirstLook, TakesNoMoreThanItsBudget) {
  find(kSeconds);
  EXPECT_LE(took_s(), kSeconds);
}

TEST_F(FirstLook, PromisesNoMoreSecondsThanItHas) {
  for (const double seconds : {40.0, 60.0, 90.0, kSeconds}) {
    looks_ = first_look();
    find(seconds);
    double promised = 0;
    for (const SizeStep& step : found_) promised += step.seconds();
    EXPECT_LE(promised, seconds);
  }
}

TEST_F(FirstLook, MeasuresTheCpuAtItsOwnSmallerSizes) {
  find(kSeconds);
  for (std::size_t i = 0; i < looks_.size(); ++i) {
    EXPECT_LT(found_[i].found.at("cpu").size, found_[i].found.at("cuda:0").size) << i;
    EXPECT_EQ(found_[i].found.at("cpu").ended_by, kNoFaster) << i;
  }
}

}  // namespace
}  // namespace gpuseq::bench
