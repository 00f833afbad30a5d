#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "probes/probes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/cuda/cuda.hpp"

namespace gpuseq::probes {
namespace {

/// Null for a probe of CPUs only.
const Variant* cuda_variant(const Family& probe) {
  const auto found = std::ranges::find(probe.variants(), DeviceKind::cuda, &Variant::device);
  return found == probe.variants().end() ? nullptr : &*found;
}

/// Every point of a CUDA variant at one footprint, or one size of a copy.
std::vector<Point> points_at(const Family& probe, std::int64_t footprint_bytes) {
  const SearchSpace& space = probe.variant("cuda").space;
  std::map<std::string, std::vector<AxisValue>> axes;
  for (const Axis& axis : space.axes()) axes[axis.name] = axis.values;
  axes["footprint_bytes"] = {footprint_bytes};
  axes["threads_per_block"] = {std::int64_t{256}};
  if (const Axis* blocks = space.find("blocks_per_sm")) axes[blocks->name] = {blocks->default_value};
  axes["load_bytes"] = {std::int64_t{1 << 20}};
  axes["transfer_bytes"] = {footprint_bytes};
  std::erase_if(axes, [&](const auto& axis) { return !space.find(axis.first); });
  return space.points(axes);
}

class CudaProbesCompile : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Architectures, CudaProbesCompile, testing::Values("sm_80", "sm_90", "sm_100"),
                         [](const auto& name) { return std::string(name.param); });

/// Every block size at one depth and every depth at one block size, in both ways of access.
bool covers(const Point& point) {
  if (!point.has("in_flight")) return true;
  return point.integer("in_flight") == 4 || point.integer("block_bytes") == 1024;
}

TEST_P(CudaProbesCompile, WithoutSpillsAtACoveringSetOfPoints) {
  if (const auto version = cuda::nvrtc_version(); !version.value)
    GTEST_SKIP() << "no NVRTC: " << version.reason;
  std::set<std::string> compiled;
  for (const auto& probe : make_probes()) {
    const Variant* variant = cuda_variant(*probe);
    if (variant == nullptr || !variant->space.find("footprint_bytes")) continue;
    for (const Point& point : points_at(*probe, 1 << 20))
      for (const KernelSource& source : variant->sources(point, {})) {
        if (!covers(point) || !compiled.insert(source.text).second) continue;
        const Resources resources = cuda::compile(source, GetParam(), {}).resources;
        EXPECT_EQ(resources.spill_bytes, 0) << source.name;
        EXPECT_EQ(resources.local_bytes, 0) << source.name;
      }
  }
}

TEST(CudaProbesCompile, TheDefaultPointLeavesRoomForAllThreadsOfAMultiprocessor) {
  if (const auto version = cuda::nvrtc_version(); !version.value)
    GTEST_SKIP() << "no NVRTC: " << version.reason;
  for (const auto& probe : make_probes()) {
    if (probe->name().ends_with("latency") || probe->name() == "l2_sides") continue;  // fill none
    if (cuda_variant(*probe) == nullptr) continue;
    const Variant& variant = *cuda_variant(*probe);
    for (const std::int64_t block_bytes : {32, 64, 128, 256, 512}) {
      Point point;
      if (probe->name() == "random_access") point.set("block_bytes", block_bytes);
      const KernelSource source = variant.sources(variant.space.complete(point), {}).front();
      EXPECT_LE(cuda::compile(source, "sm_90", {}).resources.registers_per_thread, 32) << source.name;
      if (point.values().empty()) break;
    }
  }
}

class CudaProbe : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto count = cuda::device_count();
    if (!count.value || *count.value == 0) GTEST_SKIP() << "no CUDA device: " << count.reason;
    device_ = open_device("cuda:0");
  }
  std::unique_ptr<Device> device_;
};
INSTANTIATE_TEST_SUITE_P(Probes, CudaProbe,
                         testing::Values("random_access", "windows", "latency", "loaded_latency",
                                         "sequential", "zero_copy", "zero_copy_sequential", "transfer",
                                         "launch", "atomics", "barrier"),
                         [](const auto& name) { return name.param; });

TEST_P(CudaProbe, ReadsWhatItSaysAtEveryPointAlsoAfterALaunch) {
  for (const auto& probe : make_probes()) {
    if (probe->name() != GetParam()) continue;
    const auto problem = probe->load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
    for (const std::int64_t footprint : {4096, 3333 * 1024})
      for (const Point& point : points_at(*probe, footprint)) {
        // In so little memory no groups show.
        if (point.has("assigned_by") && point.word("assigned_by") == "sm_group") continue;
        const auto session = prepare_as<Session>(*problem, probe->variant("cuda"), point, *device_);
        const Verification before = session->verify();
        EXPECT_TRUE(before.passed) << point.to_string() << ": " << before.reason;
        session->launch();
        device_->synchronize();
        const Verification after = session->verify();
        EXPECT_TRUE(after.passed) << point.to_string() << ": " << after.reason;
        EXPECT_GT(after.checked, 0u);
      }
  }
}

TEST_P(CudaProbe, ReachesTheEndOfALargeFootprint) {
  for (const auto& probe : make_probes()) {
    if (probe->name() != GetParam()) continue;
    if (!probe->variant("cuda").space.find("footprint_bytes")) GTEST_SKIP() << "has no footprint";
    const auto problem = probe->load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
    // A part of the host's memory: others use it.
    const std::size_t most =
        probe->name().starts_with("zero_copy") ? std::size_t{256} << 20 : std::size_t{12} << 30;
    const std::size_t load = probe->variant("cuda").space.find("load_bytes") ? std::size_t{512} << 20 : 0;
    const auto footprint = static_cast<std::int64_t>(std::min(largest_footprint(*device_) - load, most));
    Point point{{"footprint_bytes", footprint}};
    if (probe->variant("cuda").space.find("assigned_by")) point.set("assigned_by", std::string("sm_number"));
    const auto session = prepare_as<Session>(*problem, probe->variant("cuda"), point, *device_);
    const Verification verification = session->verify();
    EXPECT_TRUE(verification.passed) << verification.reason;
  }
}

TEST(CudaWindows, OfGroupsAreThoseOfAllMultiprocessorsOrSayWhyThereAreNone) {
  const auto count = cuda::device_count();
  if (!count.value || *count.value == 0) GTEST_SKIP() << "no CUDA device: " << count.reason;
  const auto device = open_device("cuda:0");
  for (const auto& probe : make_probes()) {
    if (probe->name() != "windows") continue;
    const auto problem = probe->load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
    const Point point{{"footprint_bytes", static_cast<std::int64_t>(largest_footprint(*device))}};
    std::unique_ptr<Session> session;
    try {
      session = prepare_as<Session>(*problem, probe->variant("cuda"), point, *device);
    } catch (const ResourceError& error) {
      GTEST_SKIP() << error.what();
    }
    const Verification verification = session->verify();
    EXPECT_TRUE(verification.passed) << verification.reason;
    const nlohmann::json groups = session->facts()["sm_groups"];
    EXPECT_TRUE(groups["clear"].get<bool>()) << groups.dump();
    std::set<int> members;
    for (const auto& group : groups["groups"])
      for (const int number : group) EXPECT_TRUE(members.insert(number).second) << number;
    EXPECT_EQ(members.size(), static_cast<std::size_t>(cuda::cuda_device(*device).multiprocessors()));
  }
}

}  // namespace
}  // namespace gpuseq::probes
