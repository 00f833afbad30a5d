#include <gtest/gtest.h>

#include "bench/measure/measure.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/scripted_device.hpp"

namespace gpuseq::bench {
namespace {

using testing::ScriptedDevice;

/// A GPU whose context a kernel's fault has broken: every later call fails.
class BrokenContext : public ScriptedDevice {
 public:
  bool broken = false;
  double time_s(const std::function<void()>& work) override {
    work();
    broken = true;
    throw std::runtime_error("an illegal memory access was encountered");
  }
  void synchronize() override {
    if (broken) throw std::runtime_error("an illegal memory access was encountered");
  }
};

TEST(LostDevice, CostsTheStateThatBrokeItOneFailedRecordAndTheWorkerItsProcess) {
  const auto family = std::make_shared<testing::ToyFamily>();
  const Variant& variant = family->variant("on_gpu");
  const State state{
      .key = {"toy", "on_gpu", family->problem_space().complete({}), variant.space.complete({}), "cuda:0"},
      .kind = "kernel",
      .phase = "sweep",
      .family = family.get(),
      .variant = &variant,
      .owner = family};
  const SuiteConfig config;
  Measurer measurer(
      config, nlohmann::json::object(), [](const std::string&) { return std::make_unique<BrokenContext>(); },
      [](const std::string&) {});
  const results::Record record = measurer.measure(state);
  EXPECT_EQ(record.status, results::Status::failed);
  ASSERT_TRUE(record.failure);
  EXPECT_EQ(record.failure->kind, "error");
  EXPECT_EQ(record.failure->reason, "an illegal memory access was encountered");
  EXPECT_FALSE(record.statistics);
  EXPECT_THROW(measurer.check_device(state), DeviceLost);
}

}  // namespace
}  // namespace gpuseq::bench
