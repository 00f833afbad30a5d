#pragma once

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bench/config/registry.hpp"

/// The Python package gpuseq (reports/gpuseq), which evaluates records: figures, the page, queries. It is not
/// needed for measuring.
namespace gpuseq::bench {

/// How to install it, for messages.
std::string_view how_to_get_package();

/// Its interpreter: $GPUSEQ_PYTHON, which the launcher sets, or that of the checkout; empty if there is none.
std::filesystem::path package_python();

/// Why the package cannot be called; empty if it can.
std::string why_no_package();

/// The parts of the command line of `exec` for the page, by family: roles of --data, variants, and for each
/// axis with an option whether it is a flag.
nlohmann::json exec_uses(const Registry& registry);

/// Input, output and time limit of a command.
struct PackageStreams {
  std::string input = {};
  int out = 1;  // a file descriptor
  double most_s = std::numeric_limits<double>::infinity();
};
inline constexpr int kPackageStopped = -1;

/// Runs `gpuseq-bench ARGUMENTS` of the package and waits for it. A command that takes too long is killed
/// with the programs that it started. @returns its exit code, or kPackageStopped
/// @throws ResourceError if there is no package
int call_package(const std::vector<std::string>& arguments, const PackageStreams& streams = {},
                 const nlohmann::json& exec = {});

/// Replaces this process by the package. @throws ResourceError if there is no package
[[noreturn]] void become_package(const std::vector<std::string>& arguments, const nlohmann::json& exec = {});

}  // namespace gpuseq::bench
