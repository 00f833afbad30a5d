#include "bench/plan/problem_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bench/config/problem_files.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

bool names_data(const Point& problem, const SuiteConfig& config) {
  return std::ranges::any_of(problem.values(), [&](const auto& axis) {
    const auto* word = std::get_if<std::string>(&axis.second);
    return word != nullptr && config.data.contains(*word);
  });
}

}  // namespace

ReadData read_data(const SuiteConfig& config, const Sweep& sweep) {
  ReadData read;
  std::unique_ptr<ScratchFolder> unpacked;
  std::set<std::string> seen;
  for (const State& state : sweep.kernels) {
    const std::string problem = fmt::format("{}/{}", state.key.family, state.key.problem.to_string());
    if (!names_data(state.key.problem, config) || !seen.insert(problem).second) continue;
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
