#include "probes/cpu/memory.hpp"

#include <cstring>
#include <string>

#include "probes/cuda/access.cuh"
#include "runtime/contract/errors.hpp"
#include "runtime/system/numa.hpp"
#include "runtime/system/random.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::probes {
namespace {

constexpr const char* kNode = "memory_node";
constexpr std::size_t kGrain = std::size_t{1} << 16;  // items that a thread takes at a time
constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;
/// Footprints up to this size have several places in a buffer of kPlacesBytes, if there is enough memory.
constexpr std::size_t kMostPlaced = std::size_t{32} << 20;
constexpr std::size_t kPlacesBytes = std::size_t{128} << 20, kFreeForPlaces = std::size_t{1} << 30;

Pages pages_of(const std::string& word) {
  if (word == "explicit") return Pages::set_aside;
  return word == "huge" ? Pages::huge : Pages::small;
}

}  // namespace

void fill_granules(std::byte* memory, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const Granule granule = granule_at(i);
    std::memcpy(memory + i * kGranuleBytes, &granule, sizeof granule);
  }
}

std::shared_ptr<CpuMemory> CpuMemory::of(ProbeProblem& problem, const Point& point, const Device& device) {
  const std::string pages = point.has("pages") ? point.word("pages") : "huge";
  const std::string node = point.has(kNode) ? std::to_string(point.integer(kNode)) : "any";
  const auto bytes = static_cast<std::size_t>(point.integer("footprint_bytes"));
  auto memory = problem.memory<CpuMemory>("cpu/" + pages + "/" + node);
  // Reserved huge pages may be just enough for the footprint.
  const bool places =
      bytes <= kMostPlaced && pages_of(pages) != Pages::set_aside && device.free_bytes() >= kFreeForPlaces;
  const std::size_t wanted = places ? std::max(bytes, kPlacesBytes) : bytes;
  if (memory->buffer_.size() < wanted) {
    require_free(device, wanted, memory->buffer_.size());
    memory->buffer_ = HugeBuffer();  // frees the old one before the new one is allocated
    memory->contents = {};
    memory->buffer_ = HugeBuffer(wanted, pages_of(pages));
    if (point.has(kNode))
      bind_memory({memory->buffer_.data(), wanted}, static_cast<int>(point.integer(kNode)));
  }
  memory->place(bytes);
  return memory;
}

void CpuMemory::place(std::size_t bytes) {
  const std::size_t slots = bytes <= kMostPlaced ? (buffer_.size() - bytes) / kHugePageBytes + 1 : 1;
  const std::size_t offset = kHugePageBytes * (split_mix64(places_) % slots);
  if (offset != offset_) contents = {};
  offset_ = offset;
}

void CpuMemory::hold_granules(std::size_t bytes) {
  if (contents.kind == Contents::Kind::granules && contents.bytes >= bytes) return;
  ThreadPool().parallel_for(bytes / kGranuleBytes, kGrain,
                            [&](std::size_t begin, std::size_t end) { fill_granules(data(), begin, end); });
  contents = {Contents::Kind::granules, bytes, 0};
}

void CpuMemory::hold_chase(std::size_t bytes, std::size_t stride_bytes, std::uint64_t seed) {
  const Contents wanted{Contents::Kind::chase, bytes, stride_bytes};
  if (contents == wanted) return;
  const std::uint64_t nodes = bytes / stride_bytes;
  const std::uint32_t bits = bits_below(nodes);
  ThreadPool().parallel_for(nodes, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::byte* next = data() + node_at(i + 1 == nodes ? 0 : i + 1, nodes, bits, seed) * stride_bytes;
      std::memcpy(data() + node_at(i, nodes, bits, seed) * stride_bytes, &next, sizeof next);
    }
  });
  contents = wanted;
}

}  // namespace gpuseq::probes
