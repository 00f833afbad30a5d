#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/contract/errors.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/peers/open_peers.hpp"

namespace gpuseq::testing {

/// A GPU with peers: other GPUs that all reach each other's memory; or the same GPU, opened again, which any
/// machine with one has.
class GpuAndPeers : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (const auto count = cuda::device_count(); !count.value) GTEST_SKIP() << count.reason;
    if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
    device = std::make_unique<cuda::CudaDevice>(0);
    try {
      peers_of(2);
    } catch (const ResourceError& error) {
      GTEST_SKIP() << error.what();
    }
  }

  /// @param gpus  with the first. @throws ResourceError without so many
  cuda::Peers peers_of(std::size_t gpus) const {
    if (GetParam()) return cuda::open_peers(*device, gpus - 1, cuda::PeerAccess::all);
    cuda::Peers same;
    while (same.size() + 1 < gpus) same.push_back(std::make_shared<cuda::CudaDevice>(0));
    return same;
  }
  /// Numbers of GPUs that each machine of this test has.
  std::vector<std::size_t> numbers() const {
    if (GetParam()) return {1, 2};
    return {1, 2, 3, 8};
  }

  std::unique_ptr<cuda::CudaDevice> device;
};

/// Three of each GPU; the same GPU has one name.
inline std::size_t launches_alone(const std::map<std::string, std::vector<double>>& side_samples_s) {
  std::size_t launches = 0;
  for (const auto& [name, seconds] : side_samples_s)
    if (name.starts_with("alone on cuda:")) launches += seconds.size();
  return launches;
}

inline std::string peers_word(const ::testing::TestParamInfo<bool>& info) {
  return info.param ? "OtherGpus" : "TheSameGpu";
}

}  // namespace gpuseq::testing
