#include "reports/figures/profile_hmm/compilation.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

std::optional<Line> compilation_line(const Entry& entry) {
  const std::string compilation = compilation_of(entry);
  if (!on_gpu(entry) || compilation.empty()) return std::nullopt;
  return Line{compilation, entry.record.state.variant};
}

}  // namespace

Curves by_compilation(std::vector<std::string> filters, std::vector<Measure> measures) {
  return {.filters = std::move(filters),
          .line = compilation_line,
          .measures = std::move(measures),
          .series_title = "compiled",
          .dash_title = "variant",
          .series = {kConstantNvrtc, kVariableNvrtc, kAheadOfTime},
          .least_series = 2,
          .base = kAheadOfTime,
          .need = "two or more model lengths, and kernels compiled in two ways"};
}

}  // namespace gpuseq::reports::profile_hmm
