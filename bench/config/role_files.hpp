#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

namespace gpuseq::bench {

/// Whether a file may be "-".
enum class StandardInput { refused, of_one_role };

/// Files by role, from an option's values "role=file"; standard_input() for "-".
/// @throws UsageError naming the option, for a malformed value, for a repeated role, and for standard input
/// where it is not allowed or used for several roles
std::map<std::string, std::filesystem::path> role_files(std::span<const std::string> given,
                                                        const char* option, StandardInput standard);

/// Whether a file's name denotes standard input: "-", or standard_input().
bool names_standard_input(const std::filesystem::path& file);

}  // namespace gpuseq::bench
