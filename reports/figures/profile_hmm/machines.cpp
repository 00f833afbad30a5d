#include "reports/figures/profile_hmm/machines.hpp"

#include "reports/figures/profile_hmm/own_clock.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

std::optional<Line> machine_line(const Entry& entry) {
  // hmmsearch as a whole is no filter: only what timed one alone stands beside ours.
  if (is_peer(entry)) return by_own_clock(entry) ? std::optional(Line{program_of(entry)}) : std::nullopt;
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
      .need = "two or more model lengths of this filter",
      .contestants = Contestants::with_peers};
}

}  // namespace gpuseq::reports::profile_hmm
