#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "bench/config/tool.hpp"

namespace gpuseq::bench {

inline constexpr std::size_t kMostPrinted = 4096;  // used bytes of a program's output

/// The places of a tool's programs: {program} is this program, {checkout} the folder in the tool's variable,
/// if that is set.
std::map<std::string, std::filesystem::path> program_places(const Tool& tool);

/// The arguments with these places filled in; other placeholders are kept.
Arguments with_programs(const Arguments& command, const Tool& tool);

/// How to install the missing program of a tool; empty if it exists.
std::string why_not_there(const std::string& program, const Tool& tool);

/// Why a tool cannot run on this machine, and the remedy;
/// empty if it can, as far as is known without its axes.
std::string why_missing(const Tool& tool);

/// The version that the version command prints; "unknown" without such a command or output.
std::string version_of(const Tool& tool, const std::filesystem::path& scratch);

}  // namespace gpuseq::bench
