#include "kernels/fm_index/cuda/peers/device_index.hpp"

#include <fmt/core.h>

#include <chrono>

#include "kernels/common/device_copy.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/contract/unsupported.hpp"
#include "runtime/system/seconds_since.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::fm_index {

using cuda::CudaDevice;

u64 entries_bytes_on_device(const SearchPoint& at, u64 entries_bytes) {
  if (at.parts() == 1) return entries_bytes;
  const u32 words = at.policy.layout().words();
  return entries_bytes / words * ((words + at.parts() - 1) / at.parts());
}

std::shared_ptr<const Index> host_index(FmProblem& problem, const SearchPoint& at,
                                        const std::vector<const CudaDevice*>& devices) {
  const Layout layout = at.policy.layout();
  problem.require(layout);
  constexpr u64 kMostRows = u64{1} << 37;  // numbers of entries are 32 bits, one of them a flag
  if (problem.bases() >= kMostRows)
    throw Unsupported(fmt::format("the CUDA variants search texts of less than {} bases, this one has {}",
                                  kMostRows, problem.bases()));
  const u64 bytes = entries_bytes_on_device(at, entries_bytes(layout, problem.bases() + 1)) +
                    prefix_bytes(layout, at.prefix_symbols);
  for (const CudaDevice* device : devices)
    if (bytes > device->total_bytes())
      throw DoesNotFit(fmt::format("{} of {} bytes does not fit on {}, which has {} bytes",
                                   at.parts() > 1 ? "a part of an index" : "an index", bytes, device->id(),
                                   device->total_bytes()));
  return problem.index(layout, at.prefix_symbols);
}

DeviceIndex::Part::Part(const Index& index, u64 first, u64 bytes, CudaDevice& on)
    : first_byte(first),
      entries(on, bytes),
      superblocks(on, index.superblocks.size() * sizeof(u64)),
      prefix(on, index.prefix.size()) {}

void DeviceIndex::Part::upload(const Index& index) {
  entries.upload(bytes_of(index.entries).subspan(first_byte, entries.size()));
  superblocks.upload(index.superblocks);
  prefix.upload(bytes_of(index.prefix));
}

DeviceIndex::DeviceIndex(const Index& index, IndexOn on, CudaDevice& device, cuda::Peers peers)
    : on_(on), device_(&device), peers_(std::move(peers)) {
  const u32 count = static_cast<u32>(1 + peers_.size());
  for (u32 part = 0; part < count; ++part) {
    u64 first = 0, end = index.entries.size();
    if (on == IndexOn::parts) {
      const u64 word_bytes = index.view.blocks_per_word * index.layout.entry_bytes();
      first = first_word_of(part, index.layout.words(), count) * word_bytes;
      end = first_word_of(part + 1, index.layout.words(), count) * word_bytes;
    }
    parts_.emplace_back(index, first, end - first, this->device(part));
  }
  const auto start = std::chrono::steady_clock::now();
  ThreadPool(static_cast<int>(count), false).run([&](int part) {
    parts_[static_cast<std::size_t>(part)].upload(index);
  });
  upload_s_ = seconds_since(start);
}

IndexView DeviceIndex::view(const Index& index, std::size_t part) const {
  const Part& on = parts_[part];
  IndexView view = index.view;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's addresses are integers
  view.entries = reinterpret_cast<const u8*>(on.entries.address() - on.first_byte);
  view.superblocks = on.superblocks.as<const u64>();
  view.prefix = on.prefix.as<const void>();
  return view;
}

std::size_t DeviceIndex::index_bytes(std::size_t part) const {
  return parts_[part].entries.size() + parts_[part].superblocks.size();
}

std::shared_ptr<const DeviceIndex> device_index_of(const Index& index, IndexOn on, CudaDevice& device,
                                                   cuda::Peers peers) {
  auto copy = std::static_pointer_cast<const DeviceIndex>(index.device_copy);
  if (copy != nullptr && copy->serves(on, device, peers.size())) return copy;
  index.device_copy.reset();
  copy.reset();
  copy = std::make_shared<const DeviceIndex>(index, on, device, std::move(peers));
  index.device_copy = copy;
  return copy;
}

}  // namespace gpuseq::fm_index
