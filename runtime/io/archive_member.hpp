#pragma once

#include <filesystem>
#include <string>

namespace gpuseq {

/// A file of a tar archive, plain or compressed in any way that tar(1) supports: unpacked on first use, and
/// again when the archive has changed.
/// @param cache_dir  unpacked files are stored in its folder `data`, which is created. Existing files are
/// only used if no other user can have written them (private_file.hpp)
/// @returns the unpacked file
/// @throws UsageError with archive and member if it is not an archive or has no such file, or an empty one;
/// ResourceError if the cache cannot be written, or is not private
std::filesystem::path archive_member(const std::filesystem::path& archive, const std::string& member,
                                     const std::filesystem::path& cache_dir);

}  // namespace gpuseq
