#include "bench/plan/problem_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bench/config/problem_files.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {

ReadData read_data(const SuiteConfig& config, const Sweep& sweep) {
  ReadData read;
  std::unique_ptr<ScratchFolder> unpacked;
  std::set<std::string> seen;
  for (const State& state : sweep.kernels) {
    const std::string problem = fmt::format("{}/{}", state.key.family, state.key.problem.to_string());
    const bool has_data = std::ranges::any_of(
        config.data, [&](const auto& entry) { return is_named(state.key.problem, entry.first); });
    if (!has_data || !seen.insert(problem).second) continue;
    try {
      state.family->load({.point = state.key.problem,
                          .files = files_for(state.key.problem, config, unpacked),
                          .seed = config.seed,
                          .cache_dir = config.cache_dir});
      ++read.problems;
    } catch (const ResourceError& error) {
      read.remarks.push_back(fmt::format("{}: its data was not read: {}", problem, error.what()));
    }
  }
  return read;
}

}  // namespace gpuseq::bench
