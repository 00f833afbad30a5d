#include "reports/figures/profile_hmm/machines.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

std::optional<Line> line_of(const Entry& entry) {
  const std::string variant = entry.record.state.variant, vectors = vectors_of(entry);
  return Line{vectors.empty() ? variant : variant + ", " + vectors};
}

}  // namespace

Curves by_machine(const std::string& filter) {
  return {
      .filters = {filter},
      .line = line_of,
      .measures = {gcups()},
      .series_title = "variant",
      .series = {"lane_groups", "video_warp", "striped, AVX-512", "striped, AVX2", "striped, SSE4", "scalar"},
      .need = "two or more model lengths of this filter"};
}

}  // namespace gpuseq::reports::profile_hmm
