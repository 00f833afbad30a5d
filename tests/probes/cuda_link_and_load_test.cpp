#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "probes/probes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/cuda/cuda.hpp"

// The probes of copies, and of latency under load: properties beyond those of cuda_probes_test.cpp.

namespace gpuseq::probes {
namespace {

std::unique_ptr<Family> probe_named(const std::string& name) {
  for (auto& probe : make_probes())
    if (probe->name() == name) return std::move(probe);
  throw UsageError("no probe " + name);
}

TEST(TransferSpace, HasEveryDirectionOfPinnedMemoryAndEachByItselfOfOther) {
  const auto probe = probe_named("transfer");
  const SearchSpace& space = probe->variant("cuda").space;
  std::map<std::string, std::vector<AxisValue>> every;
  for (const Axis& axis : space.axes()) every[axis.name] = axis.values;
  std::set<std::string> kinds;
  std::set<std::int64_t> sizes;
  for (const Point& point : space.points(every)) {
    kinds.insert(point.word("memory") + " " + point.word("direction"));
    sizes.insert(point.integer("transfer_bytes"));
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"pinned to_device", "pinned to_host", "pinned both",
                                          "pageable to_device", "pageable to_host"}));
  EXPECT_EQ(*sizes.begin(), 4096);
  EXPECT_EQ(*sizes.rbegin(), 256 << 20);
}

TEST(LoadedLatencySpace, MeansTheSameOnEveryKindOfDevice) {
  const auto probe = probe_named("loaded_latency");
  const SearchSpace &cpu = probe->variant("cpu").space, &cuda = probe->variant("cuda").space;
  for (const char* axis : {"footprint_bytes", "stride_bytes", "operation", "pause_ns", "load_bytes"})
    EXPECT_TRUE(cpu.find(axis) && cuda.find(axis)) << axis;
  for (const char* axis : {"operation", "pause_ns"})
    EXPECT_EQ(cpu.find(axis)->meaning, cuda.find(axis)->meaning);
}

/// A probe on the first CUDA device.
class CudaProbeOf : public testing::Test {
 protected:
  void SetUp() override {
    const auto count = cuda::device_count();
    if (!count.value || *count.value == 0) GTEST_SKIP() << "no CUDA device: " << count.reason;
    device_ = open_device("cuda:0");
  }
  void use(const std::string& name) {
    probe_ = probe_named(name);
    problem_ = probe_->load({.point = {}, .files = {}, .seed = 5, .cache_dir = {}});
  }
  std::unique_ptr<Session> prepared(const std::string& point) {
    const Variant& variant = probe_->variant("cuda");
    return prepare_as<Session>(*problem_, variant, variant.space.complete(Point::parse(point)), *device_);
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<Family> probe_;
  std::unique_ptr<Problem> problem_;
};

TEST_F(CudaProbeOf, CopiesCountsTheBytesOfBothDirections) {
  use("transfer");
  EXPECT_EQ(prepared("transfer_bytes=65536,direction=to_host")->cost().work.amount, 65536);
  EXPECT_EQ(prepared("transfer_bytes=65536,direction=both")->cost().work.amount, 2 * 65536);
}

TEST_F(CudaProbeOf, CopiesArriveWholeWhateverWasCopiedBefore) {
  use("transfer");
  // Larger and smaller, so that memory is made and used again.
  for (const char* point :
       {"transfer_bytes=1048576,direction=both", "transfer_bytes=4194304,direction=to_host,memory=pageable",
        "transfer_bytes=16,direction=to_device", "transfer_bytes=1048592,direction=both",
        "transfer_bytes=3145728,direction=to_device,memory=pageable"}) {
    const auto session = prepared(point);
    for (int launch = 0; launch < 3; ++launch) session->launch();
    device_->synchronize();
    const Verification found = session->verify();
    EXPECT_TRUE(found.passed) << point << ": " << found.reason;
    EXPECT_EQ(static_cast<double>(found.checked) * 16, session->cost().work.amount) << point;
  }
}

TEST_F(CudaProbeOf, CopiesDoesNotFitWhereTheDeviceHasLess) {
  use("transfer");
  EXPECT_THROW(prepared("transfer_bytes=1099511627776"), DoesNotFit);
}

TEST_F(CudaProbeOf, ZeroCopyDoesNotFitWhereTheHostHasLess) {
  use("zero_copy");
  EXPECT_THROW(prepared("footprint_bytes=1125899906842624"), DoesNotFit);
}

TEST(PeerTransferSpace, HasEveryDirection) {
  const auto probe = probe_named("peer_transfer");
  std::set<std::string> directions;
  const SearchSpace& space = probe->variant("cuda").space;
  for (const Point& point : space.points({{"direction", space.find("direction")->values}}))
    directions.insert(point.word("direction"));
  EXPECT_EQ(directions, (std::set<std::string>{"to_peer", "from_peer", "both"}));
}

TEST_F(CudaProbeOf, ADeviceIsNoPeerOfItselfNorOneThatIsNotThere) {
  for (const char* name : {"peer_access", "peer_access_sequential", "peer_transfer"}) {
    use(name);
    EXPECT_THROW(prepared("peer=0"), ResourceError) << name;
    EXPECT_THROW(prepared("peer=1000"), ResourceError) << name;
  }
}

/// Needs two GPUs.
class CudaPeers : public CudaProbeOf {
 protected:
  void SetUp() override {
    const auto count = cuda::device_count();
    if (count.value.value_or(0) < 2) GTEST_SKIP() << "fewer than two CUDA devices " << count.reason;
    device_ = open_device("cuda:0");
  }
};

TEST_F(CudaPeers, CopiesArriveWholeInEveryDirection) {
  use("peer_transfer");
  for (const char* point : {"direction=to_peer", "direction=from_peer", "direction=both"})
    for (const char* bytes : {"16", "1048592", "65536"}) {
      const auto session = prepared(std::string("peer=1,transfer_bytes=") + bytes + "," + point);
      for (int launch = 0; launch < 3; ++launch) session->launch();
      device_->synchronize();
      const Verification found = session->verify();
      EXPECT_TRUE(found.passed) << point << " " << bytes << ": " << found.reason;
      EXPECT_EQ(static_cast<double>(found.checked) * 16, session->cost().work.amount) << point;
    }
}

TEST_F(CudaPeers, KernelsReachTheMemoryOfEachOther) {
  const auto other = open_device("cuda:1");
  for (const char* name : {"peer_access", "peer_access_sequential"}) {
    use(name);
    for (const char* footprint : {"1048576", "16777216", "4194304"})
      for (const int peer : {1, 0}) {
        const Variant& variant = probe_->variant("cuda");
        const Point point = variant.space.complete(
            Point::parse("footprint_bytes=" + std::string(footprint) + ",peer=" + std::to_string(peer)));
        const auto session = prepare_as<Session>(*problem_, variant, point, peer == 1 ? *device_ : *other);
        session->launch();
        const Verification found = session->verify();
        EXPECT_TRUE(found.passed) << name << " " << point.to_string() << ": " << found.reason;
      }
  }
}

TEST_F(CudaProbeOf, LoadedLatencySaysWhatTheOthersStreamed) {
  use("loaded_latency");
  const auto facts_of = [&](const std::string& point) {
    const auto session = prepared("footprint_bytes=67108864,load_bytes=268435456," + point);
    EXPECT_TRUE(session->verify().passed) << point;
    session->launch();
    nlohmann::json facts = session->facts();
    const Verification after = session->verify();
    EXPECT_TRUE(after.passed) << point << ": " << after.reason;
    return facts;
  };
  const nlohmann::json rest = facts_of("blocks_per_sm=0");
  EXPECT_EQ(rest["load_bytes_per_s"], 0);
  EXPECT_GT(rest["latency_ns"], 10);
  for (const char* operation : {"read", "write"}) {
    const std::string of = std::string("operation=") + operation + ",pause_ns=";
    const nlohmann::json all = facts_of(of + "0"), some = facts_of(of + "100000");
    EXPECT_GT(some["load_bytes_per_s"], 0) << operation;
    EXPECT_GT(all["load_bytes_per_s"].get<double>(), 4 * some["load_bytes_per_s"].get<double>()) << operation;
    EXPECT_GT(all["latency_ns"].get<double>(), rest["latency_ns"].get<double>()) << operation;
  }
}

TEST_F(CudaProbeOf, LoadedLatencyOfAnyShapeFollowsTheCycle) {
  use("loaded_latency");
  for (const char* shape : {"threads_per_block=64,blocks_per_sm=1", "threads_per_block=1024,blocks_per_sm=1",
                            "threads_per_block=128,blocks_per_sm=8", "threads_per_block=512,blocks_per_sm=0"})
    for (const char* load : {"4096", "1048576", "69632"}) {
      const auto session = prepared(std::string("footprint_bytes=333824,load_bytes=") + load + "," + shape);
      const Verification found = session->verify();
      EXPECT_TRUE(found.passed) << shape << " " << load << ": " << found.reason;
    }
}

}  // namespace
}  // namespace gpuseq::probes
