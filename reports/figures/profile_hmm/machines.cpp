#include "reports/figures/profile_hmm/machines.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

std::optional<Line> machine_line(const Entry& entry) {
  std::string line = entry.record.state.variant;
  if (const std::string vectors = vectors_of(entry); !vectors.empty()) line += ", " + vectors;
  // Others' MSV computes rows with the J state for every sequence.
  if (filter_of(entry) == "msv" && word(entry.record.state.point, "follow_j") == "always")
    line += ", J always";
  return Line{std::move(line)};
}

}  // namespace

Curves by_machine(const std::string& filter) {
  return {
      .filters = {filter},
      .line = machine_line,
      .measures = {gcups()},
      .series_title = "variant",
      .series = {"lane_groups", "video_warp", "striped, AVX-512", "striped, AVX2", "striped, SSE4", "scalar"},
      .need = "two or more model lengths of this filter"};
}

}  // namespace gpuseq::reports::profile_hmm
