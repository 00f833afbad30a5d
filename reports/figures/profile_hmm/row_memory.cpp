#include "reports/figures/profile_hmm/row_memory.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

constexpr const char* kLocal = "local memory";

std::optional<Line> row_line(const Entry& entry) {
  const std::string memory = row_memory_of(entry);
  if (!on_gpu(entry) || memory.empty()) return std::nullopt;
  return Line{memory == "local"    ? kLocal
              : memory == "shared" ? "shared memory"
                                   : memory,
              entry.record.state.variant};
}

}  // namespace

Curves by_row_memory(const std::string& filter) {
  return {.filters = {filter},
          .line = row_line,
          .measures = {gcups(), occupancy()},
          .series_title = "row in",
          .dash_title = "variant",
          .series = {"registers", "shared memory", kLocal},
          .least_series = 2,
          .base = kLocal,
          .need = "two or more model lengths, and rows in two memories, of this filter"};
}

}  // namespace gpuseq::reports::profile_hmm
