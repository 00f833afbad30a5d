#include "runtime/cuda/peers/split_buffer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/contract/errors.hpp"
#include "runtime/cuda/driver_api.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::cuda {
namespace {

CUmemAllocationProp memory_of(const CudaDevice& device) {
  CUmemAllocationProp memory{};
  memory.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  memory.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device.handle()};
  return memory;
}

/// @throws ResourceError if the device does not support memory mapping
std::size_t granularity_of(const CudaDevice& device) {
  if (device.attribute(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) == 0)
    throw ResourceError(device.id() + " cannot map memory of two devices under one range of addresses");
  const CUmemAllocationProp memory = memory_of(device);
  std::size_t bytes = 0;
  check(driver().mem_get_allocation_granularity(&bytes, &memory, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
        "cuMemGetAllocationGranularity of " + device.id());
  return bytes;
}

std::size_t granularity_of(const CudaDevice& first, const CudaDevice& second) {
  return std::max(granularity_of(first), granularity_of(second));
}

bool reaches(CUdevice from, CUdevice to) {
  int can = 0;
  check(driver().device_can_access_peer(&can, from, to), "cuDeviceCanAccessPeer");
  return can != 0;
}

}  // namespace

Halves halves_of(std::size_t bytes, std::size_t granularity) {
  const std::size_t units = (bytes + granularity - 1) / granularity;
  return {.first = (units + 1) / 2 * granularity, .second = units / 2 * granularity};
}

std::shared_ptr<CudaDevice> open_peer(const CudaDevice& device) {
  const int count = device_count().value.value_or(0);
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    if (ordinal == device.ordinal()) continue;
    CUdevice other = 0;
    check(driver().device_get(&other, ordinal), "cuDeviceGet");
    if (reaches(device.handle(), other) && reaches(other, device.handle()))
      return std::make_shared<CudaDevice>(ordinal);
  }
  if (count < 2) throw ResourceError(device.id() + " has no peer: it is the only CUDA device here");
  throw ResourceError(fmt::format(
      "{} has no peer: of the other CUDA devices here ({}) none reaches its memory and is reached by it",
      device.id(), count - 1));
}

SplitBuffer::SplitBuffer(CudaDevice& first, CudaDevice& second, std::size_t bytes)
    : first_(&first),
      second_(&second),
      bytes_(bytes),
      halves_(halves_of(bytes, granularity_of(first, second))) {
  make();
}

SplitBuffer::SplitBuffer(CudaDevice& first, CudaDevice& second, const Halves& at_least)
    : first_(&first), second_(&second), bytes_(0) {
  const std::size_t unit = granularity_of(first, second);
  halves_ = {.first = (at_least.first + unit - 1) / unit * unit,
             .second = (at_least.second + unit - 1) / unit * unit};
  bytes_ = halves_.first + halves_.second;
  make();
}

void SplitBuffer::make() {
  if (bytes_ == 0) return;
  first_->make_current();
  try {
    const std::size_t all = halves_.first + halves_.second;
    check(driver().mem_address_reserve(&address_, all, 0, 0, 0), "cuMemAddressReserve");
    reserved_ = all;
    map(*first_, 0, halves_.first);
    mapped_first_ = halves_.first;
    map(*second_, halves_.first, halves_.second);
    mapped_second_ = halves_.second;
    allow_access();
  } catch (...) {
    release();
    throw;
  }
}

SplitBuffer::~SplitBuffer() {
  try {
    first_->synchronize();
    second_->synchronize();
  } catch (const std::exception&) {
    // The context is lost, and the memory with it; the addresses are still freed.
  }
  release();
}

/// The driver frees memory with its last mapping, so that no handle is stored.
void SplitBuffer::map(const CudaDevice& device, std::size_t offset, std::size_t bytes) {
  if (bytes == 0) return;
  const std::size_t available = device.free_bytes();
  const auto refuse = [&] {
    throw DoesNotFit(fmt::format(
        "{} bytes, {} of a range of {}, do not fit on {}: {} bytes are free (margin subtracted)", bytes,
        offset == 0 ? "the first half" : "the second half", reserved_, device.id(), available));
  };
  if (bytes > available) refuse();
  const CUmemAllocationProp memory = memory_of(device);
  CUmemGenericAllocationHandle handle = 0;
  const CUresult created = driver().mem_create(&handle, bytes, &memory, 0);
  if (created == CUDA_ERROR_OUT_OF_MEMORY) refuse();
  check(created, "cuMemCreate on " + device.id());
  const CUresult mapped = driver().mem_map(address_ + offset, bytes, 0, handle, 0);
  driver().mem_release(handle);
  check(mapped, "cuMemMap of memory of " + device.id());
}

void SplitBuffer::allow_access() {
  std::array<CUmemAccessDesc, 2> all{};
  std::size_t count = 0;
  for (const CudaDevice* device : {first_, second_})
    if (count == 0 || device->handle() != first_->handle())
      all[count++] = {.location = memory_of(*device).location, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  check(driver().mem_set_access(address_, reserved_, all.data(), count),
        fmt::format("cuMemSetAccess of {} and {}", first_->id(), second_->id()));
}

/// Errors are ignored, as in CudaDevice::release().
void SplitBuffer::release() noexcept {
  if (mapped_first_ > 0) driver().mem_unmap(address_, mapped_first_);
  if (mapped_second_ > 0) driver().mem_unmap(address_ + halves_.first, mapped_second_);
  if (reserved_ > 0) driver().mem_address_free(address_, reserved_);
}

void SplitBuffer::upload(std::span<const std::byte> from) {
  check_range(0, from.size(), bytes_);
  const std::size_t first = std::min(halves_.first, from.size());
  const auto copy = [&](const CudaDevice& device, std::size_t offset, std::size_t count) {
    if (count == 0) return;
    device.make_current();
    check(
        driver().memcpy_host_to_device_async(address_ + offset, from.data() + offset, count, device.stream()),
        "cuMemcpyHtoDAsync to " + device.id());
    check(driver().stream_synchronize(device.stream()), "cuStreamSynchronize after an upload");
  };
  ThreadPool(2, false).run([&](int thread) {
    if (thread == 0)
      copy(*first_, 0, first);
    else
      copy(*second_, first, from.size() - first);
  });
}

}  // namespace gpuseq::cuda
