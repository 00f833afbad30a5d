#include <gtest/gtest.h>

#include <string>

#include "probes/probes.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::probes {
namespace {

struct Probes {
  std::vector<std::unique_ptr<Family>> all = make_probes();
  const Family& named(std::string_view name) const {
    for (const auto& probe : all)
      if (probe->name() == name) return *probe;
    throw UsageError("no probe " + std::string(name));
  }
};

/// The points of the CPU variant's space at one small footprint and two depths.
std::vector<Point> small_points(const Family& probe, std::int64_t footprint_bytes) {
  const SearchSpace& space = probe.variant("cpu").space;
  std::map<std::string, std::vector<AxisValue>> axes;
  for (const Axis& axis : space.axes()) axes[axis.name] = axis.values;
  axes["footprint_bytes"] = {footprint_bytes};
  if (axes.contains("pages")) axes["pages"] = {std::string("huge")};
  if (axes.contains("in_flight")) axes["in_flight"] = {std::int64_t{1}, std::int64_t{16}};
  return space.points(axes);
}

class CpuProbe : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Probes, CpuProbe, testing::Values("random_access", "latency", "sequential"),
                         [](const auto& name) { return name.param; });

TEST_P(CpuProbe, ReadsWhatItSaysAtEveryPointAlsoAfterALaunch) {
  const Probes probes;
  const Family& probe = probes.named(GetParam());
  const auto device = open_device("cpu");
  const auto problem = probe.load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
  bool launched = false;
  for (const Point& point : small_points(probe, 333 * 1024)) {
    const auto session = prepare_as<Session>(*problem, probe.variant("cpu"), point, *device);
    const Verification before = session->verify();
    EXPECT_TRUE(before.passed) << point.to_string() << ": " << before.reason;
    EXPECT_GT(before.checked, 0u);
    EXPECT_GT(session->cost().work.amount, 0);
    if (launched) continue;
    session->launch();
    EXPECT_TRUE(session->verify().passed);
    launched = true;
  }
}

TEST(CpuProbes, StatesOfOneProbeShareItsMemoryWhateverTheOrderOfFootprintsAndOperations) {
  const Probes probes;
  const Family& probe = probes.named("sequential");
  const auto device = open_device("cpu");
  const auto problem = probe.load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
  for (const char* text : {"footprint_bytes=1048576,operation=write", "footprint_bytes=65536,operation=read",
                           "footprint_bytes=2097152,operation=copy", "footprint_bytes=2097152,operation=read",
                           "footprint_bytes=1048576,operation=read,pages=small"}) {
    const auto session = prepare_as<Session>(*problem, probe.variant("cpu"), Point::parse(text), *device);
    EXPECT_TRUE(session->verify().passed) << text;
  }
}

TEST(CpuProbes, RandomAccessSaysWhatItTouches) {
  const Probes probes;
  const Family& probe = probes.named("random_access");
  const auto device = open_device("cpu");
  const auto problem = probe.load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
  const auto session =
      prepare_as<Session>(*problem, probe.variant("cpu"),
                          Point::parse("footprint_bytes=65536,block_bytes=128,access=dependent"), *device);
  const auto traffic = session->cost().traffic;
  ASSERT_TRUE(traffic.has_value());
  EXPECT_EQ(traffic->block_bytes, 128u);
  EXPECT_EQ(traffic->footprint_bytes, 65536u);
  EXPECT_EQ(traffic->access, "dependent");
  EXPECT_EQ(session->cost().work.unit, "bytes");
  EXPECT_DOUBLE_EQ(session->cost().work.amount, traffic->blocks * 128);
}

TEST(CpuProbes, RandomAccessSaysHowManyDependentAccessesAreInFlight) {
  const Probes probes;
  const Family& probe = probes.named("random_access");
  const auto device = open_device("cpu");
  const auto problem = probe.load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
  const auto facts = [&](const std::string& access) {
    const Point point = Point::parse("footprint_bytes=65536,in_flight=12,threads=2,access=" + access);
    return prepare_as<Session>(*problem, probe.variant("cpu"), point, *device)->facts();
  };
  EXPECT_EQ(facts("dependent")["accesses_in_flight"], 24);
  EXPECT_EQ(facts("dependent")["threads"], 2);
  EXPECT_FALSE(facts("independent").contains("accesses_in_flight"));
}

/// Whether a probe runs on a CPU, on some memory.
bool has_footprint(const Family& probe) {
  const Variant& first = probe.variants().front();
  return first.name == "cpu" && first.space.find("footprint_bytes");
}

TEST(CpuProbes, AFootprintBeyondTheMemoryOfTheMachineDoesNotFit) {
  const Probes probes;
  const auto device = open_device("cpu");
  for (const auto& probe : probes.all) {
    if (!has_footprint(*probe)) continue;
    const auto problem = probe->load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
    const Point point{{"footprint_bytes", std::int64_t{1} << 50}};
    if (probe->name() == "numa_latency") continue;  // of machines with several nodes
    EXPECT_THROW(prepare_as<Session>(*problem, probe->variant("cpu"), point, *device), DoesNotFit)
        << probe->name();
  }
}

TEST(CpuProbes, FootprintsMustBeWholeKibibytes) {
  const Probes probes;
  const auto device = open_device("cpu");
  for (const auto& probe : probes.all) {
    if (!has_footprint(*probe)) continue;
    const SearchSpace& space = probe->variant("cpu").space;
    for (std::int64_t bad : {-1024, 0, 1024, 65537})
      EXPECT_THROW(space.complete({{"footprint_bytes", bad}}), UsageError) << bad;
    EXPECT_EQ(space.complete({{"footprint_bytes", std::int64_t{66560}}}).integer("footprint_bytes"), 66560);
  }
}

TEST(CpuProbes, TheLargestFootprintFitsIntoWhatIsFree) {
  const auto device = open_device("cpu");
  EXPECT_LE(largest_footprint(*device), device->free_bytes());
  EXPECT_GT(largest_footprint(*device), 0u);
}

}  // namespace
}  // namespace gpuseq::probes
