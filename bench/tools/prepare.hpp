#pragma once

#include <filesystem>
#include <vector>

#include "bench/config/tool.hpp"
#include "bench/tools/input.hpp"

namespace gpuseq::bench {

/// The arguments of a tool's command with everything in braces replaced. @throws as ToolInput::value() does
Arguments expanded(const Arguments& command, const ToolInput& input);

/// The folder that a tool's prepare commands filled.
struct Prepared {
  std::filesystem::path folder;
  std::vector<double> seconds;  // of each command, when it was run
  bool from_cache = false;
};

/// The folder of a cache that has what tools prepared.
std::filesystem::path tools_folder(const std::filesystem::path& cache_dir);

/// Runs the prepare commands of a tool, unless the cache has what they make of the same content: of the files
/// and the values that they name, by this version of the program.
/// @param scratch   for what the commands print; and for what they make, where `cache_dir` is empty
/// @param timeout_s of all commands together
/// @throws ChildFailed, ResourceError, UsageError
Prepared prepare_tool(const Tool& tool, const std::string& version, ToolInput input,
                      const std::filesystem::path& cache_dir, const std::filesystem::path& scratch,
                      double timeout_s);

}  // namespace gpuseq::bench
