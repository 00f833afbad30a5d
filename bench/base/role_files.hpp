#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

namespace gpuseq::bench {

/// Files by their roles, of an option's values "role=file", as they are given.
/// @throws UsageError naming the option for a value that is none, and for a role that is given twice
std::map<std::string, std::filesystem::path> role_files(std::span<const std::string> given,
                                                        const char* option);

}  // namespace gpuseq::bench
