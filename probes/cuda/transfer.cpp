#include <vector>

#include "probes/cpu/memory.hpp"
#include "probes/cuda/access.cuh"
#include "probes/cuda/memory.hpp"
#include "probes/cuda/probes.hpp"
#include "runtime/cuda/side_stream.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/huge_buffer.hpp"

namespace gpuseq::probes {
namespace {

constexpr std::size_t kCheckedAtATime = std::size_t{1} << 20;

/// Host memory that copies read or write: pinned or pageable.
class HostMemory {
 public:
  HostMemory() = default;
  HostMemory(cuda::CudaDevice& device, bool pinned, std::size_t bytes) : bytes_(bytes) {
    require_host_memory(bytes, "the data copied to or from a device");
    if (pinned)
      pinned_ = cuda::PinnedBuffer(device, bytes);
    else
      pageable_ = HugeBuffer(bytes, Pages::small);
  }
  std::span<std::byte> bytes() {
    return pinned_.size() > 0 ? pinned_.as<std::byte>(bytes_) : std::span(pageable_.data(), bytes_);
  }

 private:
  std::size_t bytes_ = 0;
  cuda::PinnedBuffer pinned_;
  HugeBuffer pageable_;
};

/// One copy to the device, one to the host, or one each way on two streams. Each side fills its own source
/// with granules; the target of to_device follows the source of to_host.
class Transfer final : public Session {
 public:
  Transfer(std::shared_ptr<CudaMemory> memory, const Point& point)
      : memory_(std::move(memory)),
        bytes_(static_cast<std::size_t>(point.integer("transfer_bytes"))),
        to_device_(point.word("direction") != "to_host"),
        to_host_(point.word("direction") != "to_device") {
    cuda::CudaDevice& device = memory_->device();
    const bool pinned = point.word("memory") == "pinned";
    if (to_device_) {
      sent_ = HostMemory(device, pinned, bytes_);
      fill_granules(sent_.bytes().data(), 0, bytes_ / kGranuleBytes);
    }
    if (to_host_) {
      received_ = HostMemory(device, pinned, bytes_);
      std::ranges::fill(received_.bytes(), std::byte{1});  // maps the pages, which do not exist
                                                           // before the first write
      memory_->hold_granules(bytes_);
    }
    memory_->contents = {};
    if (to_device_ && to_host_) side_ = std::make_unique<cuda::SideStream>(device);
  }

  Cost cost() const override {
    return {.work = {static_cast<double>(bytes_) * (to_device_ && to_host_ ? 2 : 1), "bytes"}};
  }

  void launch() override {
    const CUstream stream = memory_->device().stream();
    if (side_) side_->fork();
    if (to_device_) memory_->buffer().enqueue_upload(sent_.bytes(), device_offset(), stream);
    if (to_host_) memory_->buffer().enqueue_download(received_.bytes(), 0, side_ ? side_->stream() : stream);
    if (side_) side_->join();
  }

  Verification verify() override {
    memory_->buffer().fill(0);
    if (to_host_) {
      memory_->fill_behind(0, bytes_);
      std::ranges::fill(received_.bytes(), std::byte{0});
    }
    launch();
    memory_->device().synchronize();
    Verification result{true, 0, {}};
    if (to_host_) check_granules(received_.bytes(), 0, "to_host", result);
    std::vector<std::byte> arrived;
    for (std::size_t at = 0; to_device_ && at < bytes_ && result.passed; at += arrived.size()) {
      arrived.resize(std::min(kCheckedAtATime, bytes_ - at));
      memory_->read(arrived, device_offset() + at);
      check_granules(arrived, at / kGranuleBytes, "to_device", result);
    }
    return result;
  }

 private:
  std::size_t device_offset() const { return to_host_ ? bytes_ : 0; }

  std::shared_ptr<CudaMemory> memory_;
  std::size_t bytes_;
  bool to_device_, to_host_;
  HostMemory sent_, received_;
  std::unique_ptr<cuda::SideStream> side_;  // for to_host, concurrent with to_device
};

}  // namespace

std::vector<KernelSource> cuda_transfer_sources(const Point&) {
  return {fill_granules_source()};
}

std::unique_ptr<Session> prepare_cuda_transfer(ProbeProblem& problem, const Point& point, Device& device) {
  const std::int64_t ways = point.word("direction") == "both" ? 2 : 1;
  const Point memory{{"footprint_bytes", ways * point.integer("transfer_bytes")}};
  return std::make_unique<Transfer>(CudaMemory::of(problem, memory, device), point);
}

}  // namespace gpuseq::probes
