#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

namespace gpuseq::bench {

/// Whether a file may be "-".
enum class StandardInput { refused, of_one_role };

/// Files by their roles, of an option's values "role=file", as they are given; standard_input() for "-".
/// @throws UsageError naming the option for a value that is none, for a role that is given twice, and for
/// standard input where it is refused or of several roles
std::map<std::string, std::filesystem::path> role_files(std::span<const std::string> given,
                                                        const char* option, StandardInput standard);

/// Whether a file's name means standard input: "-", or standard_input().
bool names_standard_input(const std::filesystem::path& file);

}  // namespace gpuseq::bench
