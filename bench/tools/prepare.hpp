#pragma once

#include <filesystem>
#include <vector>

#include "bench/config/tool.hpp"
#include "bench/tools/input.hpp"

namespace gpuseq::bench {

/// The arguments of a tool's command with all placeholders replaced. @throws as ToolInput::value()
Arguments expanded(const Arguments& command, const ToolInput& input);

/// The folder filled by a tool's prepare commands.
struct Prepared {
  std::filesystem::path folder;
  std::vector<double> seconds;  // of each command, when it ran
  bool from_cache = false;
};

/// The folder of a cache with the output of the tools' prepare commands.
std::filesystem::path tools_folder(const std::filesystem::path& cache_dir);

/// Runs the prepare commands of a tool, unless the cache has their output for the same contents of files,
/// values and version of the program.
/// @param scratch   for printed output; also for the created files if `cache_dir` is empty
/// @param timeout_s for all commands together
/// @throws ChildFailed, ResourceError, UsageError
Prepared prepare_tool(const Tool& tool, const std::string& version, ToolInput input,
                      const std::filesystem::path& cache_dir, const std::filesystem::path& scratch,
                      double timeout_s);

}  // namespace gpuseq::bench
