#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Reading what /proc and /sys say.

namespace gpuseq {

/// Content of a file as one word or line, without the newline at its end; nullopt if unreadable or empty.
std::optional<std::string> read_line(const std::filesystem::path& path);

/// Value of the first "key<separator>value" line.
std::optional<std::string> proc_field(const std::filesystem::path& path, std::string_view key,
                                      char separator);

/// The number that a text begins with; nullopt where it begins with none ("max").
std::optional<std::uint64_t> proc_number(const std::optional<std::string>& text);

// The control groups (version 1 or 2) that this process is in. `root` is where /proc and /sys are mounted:
// "/", or a folder that a test has filled.

/// The folder of this process's control group and the folders of the groups above it that are mounted here,
/// innermost first. One that is not there does no harm: its files cannot be read.
/// @param controller  of version 1: "cpu", "memory"; empty: version 2
std::vector<std::filesystem::path> cgroup_folders(const std::filesystem::path& root,
                                                  std::string_view controller);

/// Processor time that a control group grants.
struct CpuQuota {
  double cpus = 0;             // processors' worth: 2.5
  std::filesystem::path file;  // that says so
};

/// The least quota of all groups that this process is in; nullopt: none sets one.
std::optional<CpuQuota> least_cpu_quota(const std::filesystem::path& root = "/");

/// How many threads can work at once on so many processors: all, or the quota rounded up where that is less.
int threads_within(std::size_t cpus, const std::optional<CpuQuota>& quota);

}  // namespace gpuseq
