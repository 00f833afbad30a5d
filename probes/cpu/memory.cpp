#include "probes/cpu/memory.hpp"

#include <cstring>
#include <string>

#include "probes/cuda/access.cuh"
#include "runtime/contract/errors.hpp"
#include "runtime/system/numa.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::probes {
namespace {

constexpr const char* kNode = "memory_node";
constexpr std::size_t kGrain = std::size_t{1} << 16;  // items a thread takes at a time

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
  if (memory->buffer_.size() >= bytes) return memory;
  require_free(device, bytes, memory->buffer_.size());
  memory->buffer_ = HugeBuffer();  // gives the old one back before the new one is taken
  memory->contents = {};
  memory->buffer_ = HugeBuffer(bytes, pages_of(pages));
  if (point.has(kNode)) bind_memory({memory->data(), bytes}, static_cast<int>(point.integer(kNode)));
  return memory;
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
