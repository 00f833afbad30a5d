#include "kernels/exact_match/traffic_classes.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "kernels/common/touched_bytes.hpp"

namespace gpuseq::exact_match {
namespace {

using ByFootprint = std::map<std::size_t, double>;

/// Distributes blocks over the classes of the ranks [begin, end), in bytes.
void spread(double begin, double end, double blocks, ByFootprint& classes) {
  double at = begin;
  while (at < end) {
    const auto footprint = std::max(std::bit_floor(static_cast<std::size_t>(at)), kLeastClassBytes);
    const double next = std::min(end, 2 * static_cast<double>(footprint));
    classes[footprint] += blocks * (next - at) / (end - begin);
    at = next;
  }
}

std::vector<TrafficClass> listed(const ByFootprint& classes) {
  std::vector<TrafficClass> list;
  for (const auto& [footprint, blocks] : classes) list.push_back({footprint, blocks});
  return list;
}

}  // namespace

std::vector<TrafficClass> classes_of(std::vector<EvenMemory> memories, u32 block_bytes) {
  std::erase_if(memories, [](const EvenMemory& memory) { return !(memory.blocks > 0); });
  for (EvenMemory& memory : memories)
    memory.bytes = touched_bytes(std::max<double>(memory.bytes, block_bytes), memory.blocks * block_bytes);
  std::ranges::sort(memories, [](const EvenMemory& a, const EvenMemory& b) {
    return a.blocks * b.bytes > b.blocks * a.bytes;
  });
  ByFootprint classes;
  double rank = 0;
  for (const EvenMemory& memory : memories) {
    spread(rank, rank + memory.bytes, memory.blocks, classes);
    rank += memory.bytes;
  }
  return listed(classes);
}

std::vector<TrafficClass> joined(const std::vector<TrafficClass>& a, const std::vector<TrafficClass>& b) {
  ByFootprint classes;
  for (const auto* list : {&a, &b})
    for (const TrafficClass& at : *list) classes[at.footprint_bytes] += at.blocks;
  return listed(classes);
}

}  // namespace gpuseq::exact_match
