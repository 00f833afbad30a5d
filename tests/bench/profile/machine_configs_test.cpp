#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "bench/bound/curves.hpp"
#include "bench/config/config.hpp"
#include "bench/config/registry.hpp"
#include "bench/plan/plan.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::bench {
namespace {

constexpr std::size_t kGiB = std::size_t{1} << 30;

/// Footprints of each curve of random accesses that an effort plans for a device.
std::map<std::string, std::set<std::int64_t>> curves_of_plan(const std::string& effort,
                                                             const DeviceInfo& device) {
  const SuiteConfig config = load_config(source_dir() / "configs/machine" / (effort + ".json"));
  const Registry registry = make_registry();
  const std::vector<DeviceInfo> devices{device};
  std::map<std::string, std::set<std::int64_t>> curves;
  for (const State& state : plan(config, registry, devices).probes)
    if (state.key.family == "random_access")
      curves[curve_id(state.key)].insert(state.key.point.integer("footprint_bytes"));
  return curves;
}

class MachineConfigs : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Efforts, MachineConfigs, testing::Values("quick", "normal", "thorough"));

TEST_P(MachineConfigs, LookAtAccessesInFlightAtOneFootprintBesideTheCurves) {
  for (const DeviceInfo& device :
       {DeviceInfo{.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = 64 * kGiB},
        DeviceInfo{.id = "cuda:0", .kind = DeviceKind::cuda, .free_bytes = 64 * kGiB}}) {
    if (device.kind == DeviceKind::cuda && !make_registry().with_cuda) continue;
    std::set<std::int64_t> of_one_footprint;
    std::size_t points = 0, curves = 0;
    for (const auto& [curve, footprints] : curves_of_plan(GetParam(), device)) {
      if (footprints.size() > 1) {
        ++curves;
        EXPECT_GE(footprints.size(), 15u) << curve;
        continue;
      }
      ++points;
      of_one_footprint.insert(*footprints.begin());
    }
    EXPECT_GE(curves, 2u) << device.id;
    EXPECT_GE(points, 6u) << device.id;
    ASSERT_EQ(of_one_footprint.size(), 1u) << device.id;
    EXPECT_GE(*of_one_footprint.begin(), 256 << 20) << "that caches do not hold";
  }
}

}  // namespace
}  // namespace gpuseq::bench
