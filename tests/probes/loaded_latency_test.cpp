#include <gtest/gtest.h>

#include <string>

#include "probes/probes.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::probes {
namespace {

/// The CPU's probe of latency under load, at small sizes.
class LoadedLatency : public testing::Test {
 protected:
  std::unique_ptr<Session> prepared(const std::string& point) {
    const Variant& variant = family_->variant("cpu");
    return prepare_as<Session>(*problem_, variant, variant.space.complete(Point::parse(point)), *device_);
  }

  static std::unique_ptr<Family> find() {
    for (auto& probe : make_probes())
      if (probe->name() == "loaded_latency") return std::move(probe);
    throw UsageError("no probe loaded_latency");
  }

  const std::unique_ptr<Family> family_ = find();
  const std::unique_ptr<Device> device_ = open_device("cpu");
  const std::unique_ptr<Problem> problem_ =
      family_->load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
};

TEST_F(LoadedLatency, FollowsTheCycleAndStreamsWhatItSaysAlsoAfterALaunch) {
  for (const char* operation : {"read", "write"})
    for (const char* pause : {"0", "1000"})
      for (const char* footprint : {"65536", "333824"}) {
        const std::string point = std::string("threads=3,load_bytes=131072,footprint_bytes=") + footprint +
                                  ",operation=" + operation + ",pause_ns=" + pause;
        const auto session = prepared(point);
        const Verification before = session->verify();
        EXPECT_TRUE(before.passed) << point << ": " << before.reason;
        EXPECT_GT(before.checked, 0u);
        session->launch();
        const Verification after = session->verify();
        EXPECT_TRUE(after.passed) << point << ": " << after.reason;
      }
}

TEST_F(LoadedLatency, SaysHowLongAnAccessTookAndHowMuchTheOthersStreamedMeanwhile) {
  const auto session = prepared("threads=2,load_bytes=131072,footprint_bytes=65536");
  session->launch();
  const nlohmann::json facts = session->facts();
  EXPECT_EQ(facts["threads"], 2);
  EXPECT_GT(facts["latency_ns"].get<double>(), 0);
  EXPECT_GT(facts["load_bytes_per_s"].get<double>(), 0);
}

TEST_F(LoadedLatency, OfOneThreadIsThatOfAMachineAtRest) {
  const auto session = prepared("threads=1,footprint_bytes=65536");
  EXPECT_TRUE(session->verify().passed);
  session->launch();
  EXPECT_EQ(session->facts()["load_bytes_per_s"], 0);
}

TEST_F(LoadedLatency, DoesNotFitWhereTheLoadersWouldNeedMoreThanThereIs) {
  EXPECT_THROW(prepared("threads=4096,load_bytes=1099511627776"), DoesNotFit);
}

}  // namespace
}  // namespace gpuseq::probes
