#include "bench/config/problem_files.hpp"

#include <algorithm>

#include "runtime/io/archive_member.hpp"

namespace gpuseq::bench {

bool is_named(const Point& problem, const std::string& name) {
  return std::ranges::any_of(problem.values(),
                             [&](const auto& axis) { return axis.second == AxisValue(name); });
}

std::map<std::string, std::filesystem::path> files_for(const Point& problem, const SuiteConfig& config,
                                                       std::unique_ptr<ScratchFolder>& scratch) {
  const auto folder = [&] {
    if (!config.cache_dir.empty()) return config.cache_dir;
    if (!scratch) scratch = std::make_unique<ScratchFolder>(std::filesystem::path());
    return scratch->path();
  };
  std::map<std::string, std::filesystem::path> files;
  for (const auto& [name, file] : config.data)
    files[name] = file.member.empty() || !is_named(problem, name)
                      ? file.path
                      : archive_member(file.path, file.member, folder());
  return files;
}

}  // namespace gpuseq::bench
