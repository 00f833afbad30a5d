#include "kernels/pairwise_distance/cuda/host_instances.hpp"

#include <algorithm>
#include <utility>

namespace gpuseq::pairwise_distance {
namespace {

constexpr u64 kPinnedAlignment = 256;

u64 pinned_bytes(const EncodedPass& pass) {
  return rounded(pass.left.size(), kPinnedAlignment) + rounded(pass.right.size(), kPinnedAlignment) +
         rounded(pass.norms.size() * sizeof(u32), kPinnedAlignment);
}

/// Consecutive places in pinned memory.
class PinnedPlaces {
 public:
  PinnedPlaces(const cuda::PinnedBuffer& memory, ThreadPool& pool) : memory_(memory), pool_(pool) {}

  /// Copies the values and frees their own memory.
  template <typename T>
  std::span<const std::byte> take(std::vector<T>& values) {
    constexpr std::size_t kBytesAtOnce = 1 << 20;
    const auto from = std::as_bytes(std::span(values));
    const auto to = memory_.as<std::byte>(memory_.size()).subspan(next_, from.size());
    pool_.parallel_for(from.size(), kBytesAtOnce, [&](std::size_t begin, std::size_t end) {
      std::copy(from.begin() + static_cast<std::ptrdiff_t>(begin),
                from.begin() + static_cast<std::ptrdiff_t>(end),
                to.begin() + static_cast<std::ptrdiff_t>(begin));
    });
    next_ += rounded(from.size(), kPinnedAlignment);
    values = std::vector<T>();
    return to;
  }

 private:
  const cuda::PinnedBuffer& memory_;
  ThreadPool& pool_;
  u64 next_ = 0;
};

}  // namespace

HostInstances::HostInstances(std::vector<std::vector<EncodedPass>> slices, u64 most_pinned_bytes,
                             cuda::CudaDevice& device, ThreadPool& pool) {
  u64 bytes = 0;
  for (const auto& passes : slices)
    for (const EncodedPass& pass : passes) bytes += pinned_bytes(pass);
  if (bytes <= most_pinned_bytes) pinned_ = cuda::PinnedBuffer(device, bytes);
  PinnedPlaces places(pinned_, pool);
  const auto held = [&](auto& values) {
    return are_pinned() ? places.take(values) : std::as_bytes(std::span(std::as_const(values)));
  };
  for (auto& passes : slices) {
    std::vector<HostPass>& to = slices_.emplace_back();
    // A vector's values keep their address when it is moved.
    for (EncodedPass& from : passes) {
      HostPass& pass = to.emplace_back(HostPass{.encoded = std::move(from)});
      pass.left = held(pass.encoded.left);
      pass.right = pass.encoded.right.empty() ? pass.left : held(pass.encoded.right);
      pass.norms = held(pass.encoded.norms);
    }
  }
}

}  // namespace gpuseq::pairwise_distance
