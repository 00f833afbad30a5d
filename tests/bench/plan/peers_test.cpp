#include <gmock/gmock.h>

#include "bench/config/json_file.hpp"
#include "bench/plan/plan.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/toy_registry.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A probe of the link between two GPUs.
class LinkProbe : public Family {
 public:
  LinkProbe() {
    variants_.push_back({.name = "cuda",
                         .device = DeviceKind::cuda,
                         .summary = "a link",
                         .space = SearchSpace({testing::number_axis("peer", {0, 1, 2, 3}, "number"),
                                               testing::number_axis("block_bytes", {32, 64}, "bytes")})});
  }
  std::string_view name() const override { return "link"; }
  std::string_view summary() const override { return "a link"; }
  const SearchSpace& problem_space() const override { return none_; }
  const std::vector<Variant>& variants() const override { return variants_; }
  std::unique_ptr<Problem> load(const ProblemSpec&) const override { return nullptr; }

 private:
  SearchSpace none_;
  std::vector<Variant> variants_;
};

std::vector<std::string> planned(const std::string& axes, const std::vector<DeviceInfo>& devices) {
  Registry registry = testing::toy_registry();
  registry.probes.push_back(std::make_unique<LinkProbe>());
  const SuiteConfig config = config_from_json(
      parse_json(R"({"name": "t", "probes": {"link": )" + axes + "}}", "t.json"), "t.json", "/");
  std::vector<std::string> keys;
  for (const State& state : plan(config, registry, devices).probes) keys.push_back(state.key.to_string());
  return keys;
}

std::vector<DeviceInfo> host_with(int gpus) {
  std::vector<DeviceInfo> devices{{.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = 8 << 20}};
  for (int n = 0; n < gpus; ++n)
    devices.push_back({.id = "cuda:" + std::to_string(n), .kind = DeviceKind::cuda, .free_bytes = 32 << 20});
  return devices;
}

TEST(Peers, AreAllOtherGpusOfTheRun) {
  EXPECT_THAT(
      planned(R"({"peer": "others"})", host_with(3)),
      ElementsAre("link/cuda//peer=1,block_bytes=32/cuda:0", "link/cuda//peer=2,block_bytes=32/cuda:0",
                  "link/cuda//peer=0,block_bytes=32/cuda:1", "link/cuda//peer=2,block_bytes=32/cuda:1",
                  "link/cuda//peer=0,block_bytes=32/cuda:2", "link/cuda//peer=1,block_bytes=32/cuda:2"));
}

TEST(Peers, OfASingleGpuAreNoneAndNothingIsPlanned) {
  EXPECT_THAT(planned(R"({"peer": "others"})", host_with(1)), IsEmpty());
  EXPECT_THAT(planned(R"({"peer": "others"})", host_with(0)), IsEmpty());
}

TEST(Peers, MayBeNamedByTheirNumbers) {
  EXPECT_THAT(planned(R"({"peer": 3})", host_with(1)),
              ElementsAre("link/cuda//peer=3,block_bytes=32/cuda:0"));
}

TEST(Peers, OfNoGpuDoNotHideAMistakeInAnotherAxis) {
  try {
    planned(R"({"peer": "others", "block_bytes": 48})", host_with(0));
    FAIL() << "48 was taken";
  } catch (const UsageError& error) {
    expect_text(error.what());
  }
}

}  // namespace
}  // namespace gpuseq::bench
