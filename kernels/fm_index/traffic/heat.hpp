#pragma once

#include <array>
#include <atomic>
#include <vector>

#include "kernels/common/block_heat.hpp"
#include "kernels/fm_index/traffic/step_blocks.hpp"

namespace gpuseq::fm_index {

/// How often the blocks of each part are visited by steps that come to all entries. Threads may add at a
/// time.
class Heat {
 public:
  Heat(const Layout& layout, u64 all_bytes) : layout_(layout) {
    for (const PartOfEntry part : kAllParts) of(part).resize(all_bytes / bytes_of_place(part) + 1);
  }

  void add(const StepBlocks& step) {
    step.for_each([&](PartOfEntry part, u64 at) {
      std::atomic_ref(of(part)[at / bytes_of_place(part)]).fetch_add(1, std::memory_order_relaxed);
    });
  }
  /// Their blocks in bytes.
  std::vector<HeatLayer> layers(PartOfEntry part) const {
    std::vector<HeatLayer> layers = heat_layers(visits_[static_cast<std::size_t>(part)]);
    const bool apart = part == PartOfEntry::rows;
    const double bytes = static_cast<double>(bytes_of_place(part)) * (apart ? share_of(part, layout_) : 1);
    for (HeatLayer& layer : layers) layer.blocks *= bytes;
    return layers;
  }

 private:
  std::vector<u32>& of(PartOfEntry part) { return visits_[static_cast<std::size_t>(part)]; }
  u64 bytes_of_place(PartOfEntry part) const {
    return part == PartOfEntry::counters ? kSectorBytes : layout_.entry_bytes();
  }

  const Layout& layout_;
  std::array<std::vector<u32>, kAllParts.size()> visits_;
};

}  // namespace gpuseq::fm_index
