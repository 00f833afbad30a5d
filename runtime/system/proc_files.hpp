#pragma once

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

/// The folder of this process's control group and its parents up to `mount`, innermost first.
std::vector<std::filesystem::path> cgroup_folders(const std::filesystem::path& root,
                                                  std::string_view controller,
                                                  const std::filesystem::path& mount);

}  // namespace gpuseq
