#include <algorithm>
#include <vector>

#include "probes/cuda/memory.hpp"
#include "probes/cuda/probes.hpp"
#include "runtime/cuda/peers/peer_buffer.hpp"
#include "runtime/cuda/side_stream.hpp"

namespace gpuseq::probes {
namespace {

/// One copy to a peer, one from it, or one each way on two streams. Each side sends the first half of its
/// memory and receives into the second. Without a link between the two, the driver copies through the host.
class PeerTransfer final : public Session {
 public:
  PeerTransfer(std::shared_ptr<CudaMemory> memory, const Point& point)
      : memory_(std::move(memory)),
        bytes_(static_cast<std::size_t>(point.integer("transfer_bytes"))),
        to_peer_(point.word("direction") != "from_peer"),
        from_peer_(point.word("direction") != "to_peer"),
        peer_(memory_->device(), static_cast<int>(point.integer("peer")), 2 * bytes_) {
    fill_senders();
    if (to_peer_ && from_peer_) side_ = std::make_unique<cuda::SideStream>(memory_->device());
  }

  Cost cost() const override {
    return {.work = {static_cast<double>(bytes_) * (to_peer_ && from_peer_ ? 2 : 1), "bytes"}};
  }

  void launch() override {
    const CUstream stream = memory_->device().stream();
    if (side_) side_->fork();
    if (to_peer_) peer_.enqueue_copy_to_peer(memory_->buffer(), 0, bytes_, bytes_, stream);
    if (from_peer_)
      peer_.enqueue_copy_from_peer(memory_->buffer(), bytes_, 0, bytes_, side_ ? side_->stream() : stream);
    if (side_) side_->join();
  }

  Verification verify() override {
    fill_senders();
    launch();
    memory_->device().synchronize();
    Verification result{true, 0, {}};
    if (to_peer_) check(peer_.bytes(), "to_peer", result);
    if (from_peer_) check(memory_->buffer(), "from_peer", result);
    return result;
  }

 private:
  /// Fills both senders with granules, and both receivers with zeros.
  void fill_senders() {
    memory_->fill_behind(0, bytes_);
    std::vector<std::byte> bytes(bytes_);
    memory_->buffer().download(bytes);
    peer_.bytes().upload(bytes);
    std::ranges::fill(bytes, std::byte{0});
    peer_.bytes().upload(bytes, bytes_);
    memory_->buffer().upload(bytes, bytes_);
    memory_->contents = {};
  }

  void check(const cuda::DeviceBuffer& received, const char* way, Verification& result) const {
    std::vector<std::byte> found(bytes_);
    received.download(found, bytes_);
    check_granules(found, 0, way, result);
  }

  std::shared_ptr<CudaMemory> memory_;
  std::size_t bytes_;
  bool to_peer_, from_peer_;
  cuda::PeerBuffer peer_;
  std::unique_ptr<cuda::SideStream> side_;  // for from_peer, concurrent with to_peer
};

}  // namespace

std::vector<KernelSource> cuda_peer_transfer_sources(const Point&) {
  return {fill_granules_source()};
}

std::unique_ptr<Session> prepare_cuda_peer_transfer(ProbeProblem& problem, const Point& point,
                                                    Device& device) {
  const Point memory{{"footprint_bytes", 2 * point.integer("transfer_bytes")}};
  return std::make_unique<PeerTransfer>(CudaMemory::of(problem, memory, device), point);
}

}  // namespace gpuseq::probes
