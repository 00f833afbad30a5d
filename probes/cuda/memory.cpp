#include "probes/cuda/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "probes/cuda/access.cuh"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::probes {
namespace {

constexpr unsigned kFillThreads = 256, kFillBlocksPerSm = 8;

}  // namespace

KernelSource cuda_source(const std::string& name, const std::string& header, const std::string& signature,
                         const std::string& body) {
  return {.name = name,
          .text = fmt::format(
              "#include \"probes/cuda/{}.cuh\"\nusing namespace gpuseq;\nusing namespace gpuseq::probes;\n"
              "extern \"C\" __global__ void {} {{ {} }}\n",
              header, signature, body),
          .headers = device_headers(),
          .options = {"--std=c++20"},
          .may_spill = false};
}

KernelSource fill_granules_source() {
  return cuda_source("fill_memory", "fill", "fill_memory(Granule* memory, u64 granules)",
                     "fill_granules(memory, granules);");
}

KernelSource fill_chase_source() {
  return cuda_source("link_nodes", "fill", "link_nodes(char* memory, u64 nodes, u64 stride_bytes, u64 seed)",
                     "fill_chase(memory, nodes, stride_bytes, seed);");
}

LaunchShape launch_shape(const Point& point, const cuda::CudaDevice& device, const cuda::Kernel& kernel) {
  const auto threads = static_cast<unsigned>(point.integer("threads_per_block"));
  const int resident =
      std::min(static_cast<int>(point.integer("blocks_per_sm")), kernel.resident_blocks(threads, 0));
  return {static_cast<unsigned>(device.multiprocessors() * std::max(1, resident)), threads};
}

std::shared_ptr<CudaMemory> CudaMemory::of(ProbeProblem& problem, const Point& point, Device& device,
                                           Side side) {
  auto& cuda = dynamic_cast<cuda::CudaDevice&>(device);
  constexpr const char* kFootprint = "footprint_bytes";
  const auto bytes = static_cast<std::size_t>(point.has(kFootprint) ? point.integer(kFootprint) : 0);
  auto memory = problem.memory<CudaMemory>(device.id());
  if (memory->device_ == nullptr) {
    memory->device_ = &cuda;
    memory->cache_dir_ = problem.cache_dir();
    memory->scratch_ = cuda::DeviceBuffer(cuda, kScratchBytes);  // before the footprint takes
                                                                 // the remaining memory
  }
  const int peer = side == Side::peer ? static_cast<int>(point.integer("peer")) : -1;
  if (memory->size() < bytes || memory->peer_.peer() != peer) memory->allocate(bytes, side, peer);
  return memory;
}

void CudaMemory::allocate(std::size_t bytes, Side side, int peer) {
  if (side == Side::device) require_free(*device_, bytes, size());
  if (side == Side::host) require_host_memory(bytes, "a footprint in pinned memory");
  buffer_ = cuda::DeviceBuffer();  // frees the old one before the new one is allocated
  pinned_ = cuda::PinnedBuffer();
  peer_ = cuda::PeerBuffer();
  contents = {};
  switch (side) {
    case Side::device:
      buffer_ = cuda::DeviceBuffer(*device_, bytes);
      break;
    case Side::host:
      pinned_ = cuda::PinnedBuffer(*device_, bytes);
      break;
    case Side::peer: {
      cuda::PeerBuffer there(*device_, peer, bytes);
      there.allow_access();
      peer_ = std::move(there);
    }
  }
}

CUdeviceptr CudaMemory::address() const {
  // Addresses are unified: the host address of pinned memory is valid on the device.
  if (pinned_.size() > 0) return reinterpret_cast<CUdeviceptr>(pinned_.as<std::byte>(1).data());
  return peer_.size() > 0 ? peer_.address() : buffer_.address();
}

std::uint64_t CudaMemory::bytes_per_launch() const {
  // At 128 GB/s, 1 TB/s and 10 TB/s.
  if (pinned_.size() > 0) return std::uint64_t{128} << 20;
  return std::uint64_t{peer_.size() > 0 ? 1u : 10u} << 30;
}

std::shared_ptr<cuda::Kernel> CudaMemory::kernel(const KernelSource& source) {
  std::shared_ptr<cuda::Kernel>& kernel = kernels_[source.text];
  if (!kernel) kernel = device_->load(source, cache_dir_);
  return kernel;
}

void CudaMemory::fill(const KernelSource& source, std::span<void* const> arguments) {
  kernel(source)->launch(static_cast<unsigned>(device_->multiprocessors()) * kFillBlocksPerSm, kFillThreads,
                         0, arguments);
  device_->synchronize();
}

void CudaMemory::hold_granules(std::size_t bytes) {
  if (contents.kind == Contents::Kind::granules && contents.bytes >= bytes) return;
  fill_behind(0, bytes);
  contents = {Contents::Kind::granules, bytes, 0};
}

void CudaMemory::fill_behind(std::size_t offset, std::size_t bytes) {
  CUdeviceptr memory = address() + offset;
  u64 granules = bytes / kGranuleBytes;
  const std::array<void*, 2> arguments{&memory, &granules};
  fill(fill_granules_source(), arguments);
}

void CudaMemory::read(std::span<std::byte> to, std::size_t offset) const {
  if (buffer_.size() > 0) return buffer_.download(to, offset);
  device_->synchronize();
  if (peer_.size() > 0) return peer_.bytes().download(to, offset);
  std::ranges::copy(pinned_.as<std::byte>(pinned_.size()).subspan(offset, to.size()), to.begin());
}

void CudaMemory::hold_chase(std::size_t bytes, std::size_t stride_bytes, std::uint64_t seed) {
  const Contents wanted{Contents::Kind::chase, bytes, stride_bytes};
  if (contents == wanted) return;
  CUdeviceptr memory = address();
  u64 nodes = bytes / stride_bytes, stride = stride_bytes, chase_seed = seed;
  const std::array<void*, 4> arguments{&memory, &nodes, &stride, &chase_seed};
  fill(fill_chase_source(), arguments);
  contents = wanted;
}

void check_granules(std::span<const std::byte> found, std::uint64_t first, const char* way,
                    Verification& result) {
  for (std::size_t at = 0; at < found.size() && result.passed; at += kGranuleBytes, ++first) {
    const Granule expected = granule_at(first);
    ++result.checked;
    if (std::memcmp(&found[at], &expected, sizeof expected) == 0) continue;
    result.passed = false;
    result.reason = fmt::format("granule {} did not arrive, {}", first, way);
  }
}

void clear_checksum(CudaMemory& memory) {
  memory.scratch().fill(0);
}

std::uint32_t read_checksum(CudaMemory& memory) {
  std::uint32_t value = 0;
  memory.scratch().download(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

}  // namespace gpuseq::probes
