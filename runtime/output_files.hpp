#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace gpuseq {

/// Refuses an output that would replace a file of the data or another output, whatever name or link it has.
/// Devices (/dev/null) may be several.
/// @param data, outputs  role -> path, as of ExecRequest
/// @throws UsageError naming both
void require_separate_files(const std::map<std::string, std::filesystem::path>& data,
                            const std::map<std::string, std::filesystem::path>& outputs);

}  // namespace gpuseq
