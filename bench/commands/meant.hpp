#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "bench/config/registry.hpp"

namespace gpuseq::bench {

/// The command of that name; nullptr: there is none.
const CLI::App* find_command(const CLI::App& app, const std::string& name);

/// "plann is no command; did you mean plan?" for the first argument that is none where one is expected, or
/// "did you mean --config?" for the first that is no option of its command and near to one; empty: neither. A
/// family that the build leaves out is named as such.
std::string what_was_meant(const CLI::App& app, const std::vector<std::string>& arguments,
                           const Registry& registry);

}  // namespace gpuseq::bench
