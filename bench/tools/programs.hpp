#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "bench/config/tool.hpp"

namespace gpuseq::bench {

inline constexpr std::size_t kMostPrinted = 4096;  // bytes of what a program prints that are looked at

/// Where the programs of a tool are: {program} is this one, {checkout} the folder that its variable names,
/// where that is set.
std::map<std::string, std::filesystem::path> program_places(const Tool& tool);

/// The arguments with these places filled in; other braces stay.
Arguments with_programs(const Arguments& command, const Tool& tool);

/// Empty: a program of a tool's is there; else what to do about it.
std::string why_not_there(const std::string& program, const Tool& tool);

/// Why a tool cannot run on this machine, with what to do about it; empty: it can, as far as can be told
/// without its axes.
std::string why_missing(const Tool& tool);

/// What the version command says; "unknown" where there is none or it says nothing of the kind.
std::string version_of(const Tool& tool, const std::filesystem::path& scratch);

}  // namespace gpuseq::bench
