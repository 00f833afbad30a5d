#include "kernels/fm_index/cuda/peers/device_index.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "kernels/common/device_copy.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/unsupported.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::fm_index {

using cuda::CudaDevice;

u64 index_bytes_on_device(IndexOn on, u64 entries_bytes, u64 prefix_bytes) {
  return (on == IndexOn::halves ? (entries_bytes + 1) / 2 : entries_bytes) + prefix_bytes;
}

std::shared_ptr<const Index> host_index(FmProblem& problem, const SearchPoint& at,
                                        const std::vector<const CudaDevice*>& devices) {
  const Layout layout = at.policy.layout();
  problem.require(layout);
  constexpr u64 kMostRows = u64{1} << 37;  // numbers of entries are 32 bits, one of them a flag
  if (problem.bases() >= kMostRows)
    throw Unsupported(fmt::format("the CUDA variants search texts of less than {} bases, this one has {}",
                                  kMostRows, problem.bases()));
  const u64 bytes = index_bytes_on_device(at.index_on, entries_bytes(layout, problem.bases() + 1),
                                          prefix_bytes(layout, at.prefix_symbols));
  for (const CudaDevice* device : devices)
    if (bytes > device->total_bytes())
      throw DoesNotFit(fmt::format("{} of {} bytes does not fit on {}, which has {} bytes",
                                   at.index_on == IndexOn::halves ? "half an index" : "an index", bytes,
                                   device->id(), device->total_bytes()));
  return problem.index(layout, at.prefix_symbols);
}

DeviceIndex::Part::Part(const Index& index, bool all_entries, CudaDevice& on)
    : entries(on, all_entries ? index.entries.size() : 0),
      superblocks(on, index.superblocks.size() * sizeof(u64)),
      prefix(on, index.prefix.size()) {}

DeviceIndex::DeviceIndex(const Index& index, IndexOn on, CudaDevice& device, std::shared_ptr<CudaDevice> peer)
    : on_(on), device_(&device), peer_(std::move(peer)) {
  if (on == IndexOn::halves) halves_.emplace(device, *peer_, index.entries.size());
  parts_.emplace_back(index, !halves_, device);
  if (peer_) parts_.emplace_back(index, !halves_, *peer_);
  const auto start = std::chrono::steady_clock::now();
  if (halves_) halves_->upload(bytes_of(index.entries));
  for (Part& part : parts_) {
    if (!halves_) part.entries.upload(bytes_of(index.entries));
    part.superblocks.upload(index.superblocks);
    part.prefix.upload(bytes_of(index.prefix));
  }
  upload_s_ = seconds_since(start);
}

IndexView DeviceIndex::view(const Index& index, std::size_t part) const {
  const Part& on = parts_[part];
  IndexView view = index.view;
  view.entries = halves_ ? halves_->as<const u8>() : on.entries.as<const u8>();
  view.superblocks = on.superblocks.as<const u64>();
  view.prefix = on.prefix.as<const void>();
  return view;
}

std::size_t DeviceIndex::entries_on_first() const {
  return halves_ ? std::min(halves_->halves().first, halves_->size()) : parts_[0].entries.size();
}

std::size_t DeviceIndex::index_bytes(std::size_t part) const {
  const std::size_t entries = !halves_    ? parts_[part].entries.size()
                              : part == 0 ? halves_->halves().first
                                          : halves_->halves().second;
  return entries + parts_[part].superblocks.size();
}

std::shared_ptr<const DeviceIndex> device_index_of(const Index& index, IndexOn on, CudaDevice& device,
                                                   std::shared_ptr<CudaDevice> peer) {
  auto copy = std::static_pointer_cast<const DeviceIndex>(index.device_copy);
  if (copy != nullptr && copy->serves(on, device)) return copy;
  index.device_copy.reset();
  copy.reset();
  copy = std::make_shared<const DeviceIndex>(index, on, device, std::move(peer));
  index.device_copy = copy;
  return copy;
}

}  // namespace gpuseq::fm_index
