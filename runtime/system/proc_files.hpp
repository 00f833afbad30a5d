#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Reads /proc and /sys.

namespace gpuseq {

/// Content of a file as one word or line, without the final newline; nullopt if unreadable or empty.
std::optional<std::string> read_line(const std::filesystem::path& path);

/// Value of the first "key<separator>value" line.
std::optional<std::string> proc_field(const std::filesystem::path& path, std::string_view key,
                                      char separator);

/// The number at the start of a text; nullopt if there is none ("max").
std::optional<std::uint64_t> proc_number(const std::optional<std::string>& text);

// The control groups (version 1 or 2) of this process. `root` is where /proc and /sys are mounted: "/",
// or a test's folder.

/// The folder of this process's control group and the folders of its mounted parent groups, innermost first.
/// Folders need not exist: their files then cannot be read.
/// @param controller  of version 1: "cpu", "memory"; empty: version 2
std::vector<std::filesystem::path> cgroup_folders(const std::filesystem::path& root,
                                                  std::string_view controller);

/// A control group's CPU quota.
struct CpuQuota {
  double cpus = 0;             // in CPUs: 2.5
  std::filesystem::path file;  // source of the value
};

/// The least quota of all groups of this process; nullopt without a quota.
std::optional<CpuQuota> least_cpu_quota(const std::filesystem::path& root = "/");

/// Threads that can run concurrently on `cpus` CPUs: all, or the quota rounded up if that is less.
int threads_within(std::size_t cpus, const std::optional<CpuQuota>& quota);

}  // namespace gpuseq
