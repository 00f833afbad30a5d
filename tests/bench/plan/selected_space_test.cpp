#include "bench/plan/selected_space.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/config/config.hpp"
#include "bench/plan/plan.hpp"
#include "runtime/contract/axes.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/vast_toys.hpp"
#include "tests/golden_text.hpp"

// Points drawn from spaces that are too large to be made.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;

SearchSpace space_of(int axes, std::int64_t values, std::vector<Constraint> constraints = {}) {
  std::vector<Axis> list;
  for (int i = 0; i < axes; ++i) list.push_back(counted_axis("a" + std::to_string(i), values));
  return SearchSpace(std::move(list), std::move(constraints));
}

Restriction whole(const SearchSpace& space) {
  Restriction all;
  for (const Axis& axis : space.axes()) all[axis.name] = axis.values;
  return all;
}

TEST(SelectedSpace, DrawsDifferentValidPointsOfFortyBillion) {
  const SearchSpace space = space_of(11, 10, {even_sum()});
  const SelectedSpace selected(space, {whole(space)});
  EXPECT_EQ(selected.combinations(), 1e11);
  Random random(1);
  const std::vector<Point> points = selected.sample(3000, random);
  std::set<std::string> names;
  for (const Point& point : points) {
    EXPECT_FALSE(space.why_invalid(point)) << point.to_string();
    names.insert(point.to_string());
  }
  EXPECT_EQ(names.size(), 3000u);
  EXPECT_EQ(points.front(), space.complete({}));
}

TEST(SelectedSpace, DrawsEveryValueEquallyOften) {
  const SearchSpace space = space_of(8, 4, {even_sum()});
  Random random(7);
  std::map<std::string, int> counts;
  const std::vector<Point> points = SelectedSpace(space, {whole(space)}).sample(8000, random);
  for (const Point& point : points)
    for (const auto& [axis, value] : point.values()) ++counts[axis + "=" + to_string(value)];
  ASSERT_EQ(points.size(), 8000u);
  ASSERT_EQ(counts.size(), 32u);
  // 2000 each; the standard deviation is below 39.
  for (const auto& [value, count] : counts) EXPECT_NEAR(count, 2000, 200) << value;
}

TEST(SelectedSpace, FindsThePointsOfASpaceThatIsNearlyAllInvalid) {
  // Two axes in three agree: 64 of 4^9 points per value of the others.
  const Constraint narrow{
      "narrow", "pairs agree", [](const Point& p) {
        for (int i = 0; i < 8; i += 2)
          if (std::abs(p.integer("a" + std::to_string(i)) - p.integer("a" + std::to_string(i + 1))) > 1)
            return false;
        return p.integer("a0") + p.integer("a2") + p.integer("a4") < 20;
      }};
  const SearchSpace space = space_of(9, 40, {narrow});
  Random random(3);
  const std::vector<Point> points = SelectedSpace(space, {whole(space)}).sample(500, random);
  EXPECT_EQ(points.size(), 500u);
  std::set<std::int64_t> firsts;
  for (const Point& point : points) {
    EXPECT_FALSE(space.why_invalid(point));
    firsts.insert(point.integer("a8"));
  }
  EXPECT_GT(firsts.size(), 30u);
}

TEST(SelectedSpace, DrawsWhatTwoPartsShareOnce) {
  const SearchSpace space = space_of(2, 3);
  Restriction first = whole(space), second = whole(space);
  first["a0"] = {std::int64_t{0}, std::int64_t{1}};
  second["a0"] = {std::int64_t{1}, std::int64_t{2}};
  const SelectedSpace selected(space, {first, second});
  EXPECT_EQ(selected.combinations(), 12);
  Random random(1);
  EXPECT_EQ(selected.sample(100, random).size(), 9u);
}

TEST(SelectedSpace, NeighboursDifferInOneAxisAndAreValid) {
  const SearchSpace space =
      space_of(3, 4, {{"no 3", "a2 below 3", [](const Point& p) { return p.integer("a2") < 3; }}});
  Restriction some = whole(space);
  some.erase("a1");  // which has its default then
  const SelectedSpace selected(space, {some});
  std::set<std::string> names;
  for (const Point& point : selected.neighbours({{"a0", 1}, {"a1", 0}, {"a2", 2}}))
    names.insert(point.to_string());
  EXPECT_EQ(names, (std::set<std::string>{"a0=0,a1=0,a2=2", "a0=2,a1=0,a2=2", "a0=3,a1=0,a2=2",
                                          "a0=1,a1=0,a2=0", "a0=1,a1=0,a2=1"}));
  EXPECT_TRUE(selected.neighbours({{"a0", 1}, {"a1", 1}, {"a2", 2}}).empty());  // of no point of it
}

const std::vector<DeviceInfo> kCpu{{.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = 8 << 20}};
const std::vector<DeviceInfo> kBoth{{.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = 8 << 20},
                                    {.id = "cuda:0", .kind = DeviceKind::cuda, .free_bytes = 8 << 20}};

SuiteConfig vast_config(const std::string& variants, const std::string& tune) {
  return config_from_json(
      nlohmann::json::parse(R"({"name": "vast", "tune": )" + tune +
                            R"(, "families": {"vast": {"problems": [{}], "variants": )" + variants + "}}}"),
      "vast.json", "/etc");
}

const std::string kWhole = whole_vast_space();
const std::string kSearch = R"({"strategy": "guided", "evaluations": 20})";

TEST(PlanOfASearch, HasASampleOfALargeVariantAndAllOfASmallOne) {
  const SuiteConfig config = vast_config(
      R"({"wide": )" + kWhole + R"(, "narrow": {"a0": "all"}, "gpu_wide": )" + kWhole + "}", kSearch);
  const Registry registry = vast_registry();
  const Sweep sweep = plan(config, registry, kBoth);
  std::map<std::string, std::size_t> states;
  for (const State& state : sweep.kernels) ++states[state.key.variant];
  EXPECT_EQ(states, (std::map<std::string, std::size_t>{{"wide", 2000}, {"narrow", 10}, {"gpu_wide", 2000}}));
  EXPECT_EQ(state_count(sweep), 2e12 + 10);
  const Sweep again = plan(config, registry, kBoth);
  ASSERT_EQ(again.kernels.size(), sweep.kernels.size());
  for (std::size_t i = 0; i < sweep.kernels.size(); ++i)
    EXPECT_EQ(again.kernels[i].key.to_string(), sweep.kernels[i].key.to_string());
}

TEST(PlanOfASearch, LeavesOutWhatNoDeviceHasBeforeItsPointsAreMade) {
  const Registry registry = vast_registry();
  for (const char* tune : {kSearch.c_str(), R"({"remeasure": 0})"}) {
    const SuiteConfig config = vast_config(R"({"narrow": {}, "gpu_wide": )" + kWhole + "}", tune);
    const Sweep sweep = plan(config, registry, kCpu);
    EXPECT_EQ(sweep.kernels.size(), 1u);
    expect_text(sweep.remarks);
  }
}

TEST(PlanOfASearch, StillNamesAnAxisThatIsWrongWhereNoDeviceHasTheVariant) {
  expect_error_text([] { plan(vast_config(R"({"gpu_wide": {"a77": 1}})", kSearch), vast_registry(), kCpu); });
}

TEST(PlanOfAMeasuredSpace, IsRefusedAboveItsLimit) {
  const Registry registry = vast_registry();
  for (const char* tune : {R"({"remeasure": 0})", R"({"strategy": "random"})"})
    expect_error_text([&] { plan(vast_config("{\"wide\": " + kWhole + "}", tune), registry, kCpu); });
}

}  // namespace
}  // namespace gpuseq::bench
