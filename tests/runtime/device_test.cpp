#include "runtime/contract/device.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "runtime/contract/errors.hpp"
#include "runtime/contract/family.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Devices, BeginWithTheCpuAndSayWhyThereIsNoCuda) {
  const DeviceList devices = list_devices();
  ASSERT_FALSE(devices.ids.empty());
  EXPECT_EQ(devices.ids.front(), "cpu");
  EXPECT_EQ(devices.ids.size() == 1, !devices.reason_no_cuda.empty());
}

TEST(Devices, AreResolvedFromNamesListsAndAll) {
  const std::vector<std::string> all = list_devices().ids;
  EXPECT_EQ(resolve_devices("cpu"), std::vector<std::string>{"cpu"});
  EXPECT_EQ(resolve_devices("cpu,cpu"), std::vector<std::string>{"cpu"});
  EXPECT_EQ(resolve_devices("all"), all);
  EXPECT_EQ(resolve_devices("auto"), all);
  EXPECT_EQ(resolve_devices("cpu,all"), all);
}

TEST(Devices, ThatAreNotThereAreNamedBesideThoseThatAre) {
  for (const char* selection : {"gpu", "cuda:99", "cuda:", "", "cpu,", "cpu, cpu", "CPU"})
    EXPECT_THAT([&] { resolve_devices(selection); },
                ThrowsMessage<UsageError>(AllOf(HasSubstr("the devices are: cpu"), HasSubstr("auto"))))
        << selection;
  EXPECT_THROW(open_device("cuda:99"), UsageError);
  EXPECT_THROW(open_device("all"), UsageError);
}

TEST(CpuDevice, DescribesEveryFactOrTheReasonWhyNot) {
  const auto device = open_device("cpu");
  const nlohmann::json facts = device->describe();
  for (const char* name : {"name", "cores", "threads", "caches", "memory_bytes", "instruction_sets",
                           "page_bytes", "transparent_huge_pages", "governor", "clock_mhz", "max_clock_mhz",
                           "virtual_machine", "operating_system", "kernel", "cpu_quota"})
    EXPECT_TRUE(facts.contains(name)) << name;
  for (const auto& [name, value] : facts.items())
    if (value.is_null()) {
      EXPECT_FALSE(facts.value(name + "_reason", "").empty()) << name;
    }
  EXPECT_GE(facts["threads"], facts["cores"]);
}

TEST(CpuDevice, LeavesAMarginOfTheFreeMemory) {
  CpuDevice device;
  const std::size_t total = device.describe()["memory_bytes"];
  EXPECT_GT(device.free_bytes(), 0u);
  EXPECT_LT(device.free_bytes(), total);
}

TEST(CpuDevice, TimesWorkBySteadyClock) {
  CpuDevice device;
  const double seconds = device.time_s([] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
  EXPECT_GE(seconds, 0.002);
  EXPECT_THROW(device.time_s([] { throw UsageError("work"); }), UsageError);
}

TEST(CpuDevice, FlushesItsCachesAgainAndAgain) {
  CpuDevice device;
  device.flush_caches();
  device.flush_caches();
  device.synchronize();
}

TEST(CpuDevice, GivesAReasonForEveryReadingThatItCannotTake) {
  CpuDevice device;
  for (const Maybe<double>& reading :
       {device.clock_mhz(), device.max_clock_mhz(), device.energy_j(), device.power_w()})
    EXPECT_NE(reading.value.has_value(), !reading.reason.empty());
  const auto counts = device.count(device.default_metrics(), [] {});
  EXPECT_NE(counts.value.has_value(), !counts.reason.empty());
}

class BareFamily : public Family {
 public:
  std::string_view name() const override { return "bare"; }
  std::string_view summary() const override { return ""; }
  const SearchSpace& problem_space() const override { return space_; }
  const std::vector<Variant>& variants() const override { return variants_; }
  std::unique_ptr<Problem> load(const ProblemSpec&) const override { return nullptr; }

 private:
  SearchSpace space_;
  std::vector<Variant> variants_{{.name = "one", .device = DeviceKind::cpu, .summary = "", .space = {}},
                                 {.name = "two", .device = DeviceKind::cuda, .summary = "", .space = {}}};
};

TEST(Family, FindsItsVariantsByNameAndNamesThemOtherwise) {
  const BareFamily family;
  EXPECT_EQ(family.variant("two").device, DeviceKind::cuda);
  expect_error_text([&] { family.variant("three"); });
}

TEST(Family, RefusesToExecWhereItHasNoAnswers) {
  CpuDevice device;
  ExecRequest request;
  request.variant = "one";
  EXPECT_THROW(BareFamily().exec(request, device), UsageError);
}

}  // namespace
}  // namespace gpuseq
