#include <fmt/format.h>

#include <algorithm>

#include "kernels/pairwise_distance/cuda/encoding.hpp"
#include "kernels/pairwise_distance/cuda/session.hpp"
#include "runtime/contract/unsupported.hpp"
#include "runtime/cuda/texture.hpp"

namespace gpuseq::pairwise_distance {
namespace {

/// Attribute indices have 32 bits, including those past the last at which threads stop.
constexpr u64 kMostAttributes = u64{1} << 31;

class LadderSession final : public CudaDistances {
 public:
  LadderSession(DistanceProblem& problem, const LadderPolicy& policy, bool ahead_of_time,
                cuda::CudaDevice& device)
      : CudaDistances(problem, device), policy_(policy) {
    const Instances& instances = problem.instances();
    if (instances.attributes > kMostAttributes)
      throw Unsupported(fmt::format("{} attributes; the kernels of the ladder count up to {}",
                                    instances.attributes, kMostAttributes));
    const u64 row_bytes = policy.bytes() ? ladder_row_bytes(instances.attributes) : 0;
    data_bytes_ = ladder_data_bytes(policy, instances.count, instances.attributes);
    allocate(data_bytes_);
    blocks_ = static_cast<unsigned>(instances.count * instances.count);
    threads_ = policy.threads;
    shared_bytes_ = policy.shared_words() * sizeof(u32);
    load(ladder_kernels(), policy, ahead_of_time);
    const std::vector<u8> data =
        ladder_data(instances, policy.rung == Rung::naive, policy.bytes(), static_cast<u32>(row_bytes));
    upload_s_ = device.time_s([&] { upload(data); });
    arguments_ = {.data = data_.as<const u8>(),
                  .distances = sums_.as<u32>(),
                  .instances = static_cast<u32>(instances.count),
                  .attributes = static_cast<u32>(instances.attributes),
                  .row_bytes = static_cast<u32>(row_bytes),
                  .texture = texture_.object()};
  }

  void launch() override {
    if (policy_.adds()) sums_.fill(0);
    run(&arguments_);
  }

  Instructions instructions() const override {
    return ladder_instructions(policy_, arguments_.instances, arguments_.attributes);
  }

 private:
  u64 instance_bytes() const override { return data_bytes_; }

  void upload(const std::vector<u8>& data) {
    if (policy_.path == ReadPath::constant)
      return kernel_->set_variable("ladder_constants", std::as_bytes(std::span(data)));
    data_ = cuda::DeviceBuffer(device_, std::max<u64>(data.size(), 16));
    data_.upload(data);
    if (policy_.path == ReadPath::texture) texture_ = cuda::LinearTexture(device_, cuda::Texel::u32x1, data_);
  }

  LadderPolicy policy_;
  u64 data_bytes_ = 0;
  cuda::DeviceBuffer data_;
  cuda::LinearTexture texture_;
  LadderArguments arguments_{};
};

}  // namespace

std::unique_ptr<DistanceSession> make_session(DistanceProblem& problem, const LadderPolicy& policy,
                                              bool ahead_of_time, cuda::CudaDevice& device) {
  return std::make_unique<LadderSession>(problem, policy, ahead_of_time, device);
}

}  // namespace gpuseq::pairwise_distance
