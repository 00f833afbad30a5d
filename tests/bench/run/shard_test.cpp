#include "bench/run/shard.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/run/merge.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/toy_program.hpp"

namespace gpuseq::bench {
namespace {

using testing::ToyFamily;

TEST(Shard, IsReadFromItsText) {
  EXPECT_EQ(parse_shard("3/8"), (Shard{.index = 3, .count = 8}));
  for (const char* text :
       {"", "3", "0/8", "9/8", "3/", "/8", "-1/8", "3/8/2", "a/b", "3 /8", "99999999999/8"})
    EXPECT_THROW(parse_shard(text), UsageError) << text;
}

/// Kernels of one family and two curves of a probe, all of the same expected cost but for the curves' length.
struct Planned {
  SuiteConfig config = config_from_json({{"name", "toys"}}, "toys.json", ".");
  ToyFamily family;
  Sweep sweep;

  explicit Planned(int kernels) {
    for (const std::int64_t block : {32, 64})
      for (const std::int64_t footprint : {1024, 2048, 4096, 8192})
        add("probe", {{"footprint_bytes", footprint}, {"block_bytes", block}});
    for (int i = 0; i < kernels; ++i) add("kernel", {{"d", std::int64_t{i}}});
  }
  void add(const std::string& kind, Point point, std::int64_t size = 1) {
    State state;
    state.key = {.family = "toy",
                 .variant = "steady",
                 .problem = {{"size", size}},
                 .point = std::move(point),
                 .device = "cpu"};
    state.kind = kind;
    state.phase = kind == "probe" ? "probe" : "sweep";
    state.family = &family;
    state.variant = &family.variants().front();
    (kind == "probe" ? sweep.probes : sweep.kernels).push_back(std::move(state));
  }
  std::vector<std::string> keys(const Shard& shard) const {
    const Sweep mine = in_shard(sweep, shard, config);
    std::vector<std::string> keys;
    for (const auto* states : {&mine.probes, &mine.kernels})
      for (const State& state : *states) keys.push_back(state.key.to_string());
    return keys;
  }
};

TEST(Shard, EveryStateIsInExactlyOneShardOfAnyCount) {
  const Planned planned(37);
  const std::vector<std::string> whole = planned.keys({});
  ASSERT_EQ(whole.size(), 45u);
  for (const int count : {1, 2, 3, 8, 45, 100}) {
    std::vector<std::string> all;
    for (int i = 1; i <= count; ++i)
      for (std::string& key : planned.keys({.index = i, .count = count})) all.push_back(std::move(key));
    EXPECT_THAT(all, ::testing::UnorderedElementsAreArray(whole)) << count;
  }
}

TEST(Shard, ShardsCostAboutTheSameAndACurveIsNotDivided) {
  const Planned planned(40);
  for (int i = 1; i <= 4; ++i) {
    const Sweep mine = in_shard(planned.sweep, {.index = i, .count = 4}, planned.config);
    EXPECT_NEAR(static_cast<double>(mine.probes.size() + mine.kernels.size()), 12, 1) << i;
    EXPECT_TRUE(mine.probes.empty() || mine.probes.size() == 4) << i;
  }
}

TEST(Shard, KernelsOfAShardAreNeighboursInThePlan) {
  const Planned planned(40);
  for (int i = 1; i <= 4; ++i) {
    const Sweep mine = in_shard(planned.sweep, {.index = i, .count = 4}, planned.config);
    for (std::size_t j = 1; j < mine.kernels.size(); ++j)
      EXPECT_EQ(mine.kernels[j].key.point.integer("d"), mine.kernels[j - 1].key.point.integer("d") + 1);
  }
}

std::set<std::string> problems_of(const Sweep& shard) {
  std::set<std::string> problems;
  for (const State& state : shard.kernels) problems.insert(problem_key(state.key));
  return problems;
}

TEST(Shard, OneShardHasAllOfAProblemThatFits) {
  Planned planned(0);
  for (const std::int64_t size : {1, 2, 3, 4, 5, 6})
    for (std::int64_t d = 0; d < 10; ++d) planned.add("kernel", {{"d", d}}, size);
  std::set<std::string> all;
  for (int i = 1; i <= 3; ++i) {
    const Sweep mine = in_shard(planned.sweep, {.index = i, .count = 3}, planned.config);
    EXPECT_EQ(mine.kernels.size() % 10, 0u) << i;
    EXPECT_TRUE(mine.divided.empty());
    for (const std::string& problem : problems_of(mine)) EXPECT_TRUE(all.insert(problem).second) << problem;
  }
  EXPECT_EQ(all.size(), 6u);
  const Sweep first = in_shard(planned.sweep, {.index = 1, .count = 12}, planned.config);
  EXPECT_FALSE(first.divided.empty()) << "more shards than problems";
}

TEST(Shard, EveryShardHasTheControls) {
  Planned planned(20);
  planned.config.controls = {"/d=7/cpu$", "footprint_bytes=2048,block_bytes=64", "/d=7/", "nothing"};
  for (int i = 1; i <= 4; ++i) {
    const Sweep mine = in_shard(planned.sweep, {.index = i, .count = 4}, planned.config);
    ASSERT_EQ(mine.controls.size(), 2u) << i;
    EXPECT_EQ(mine.controls[0].key.point.integer("d"), 7);
    EXPECT_EQ(mine.controls[1].kind, "probe");
  }
  EXPECT_TRUE(in_shard(planned.sweep, {}, planned.config).controls.empty());
  planned.config.controls = {"("};
  EXPECT_THROW(in_shard(planned.sweep, {.index = 1, .count = 2}, planned.config), UsageError);
}

}  // namespace
}  // namespace gpuseq::bench
