#pragma once

#include <filesystem>
#include <string>

namespace gpuseq {

/// A file of a tar archive, compressed in any way that tar(1) knows or plain: unpacked when it is first asked
/// for, and again when the archive has changed.
/// @param cache_dir  its folder `data` takes what is unpacked; is made. What lies there is taken only where
/// no
///   other user can have put it there (private_file.hpp)
/// @returns the unpacked file
/// @throws UsageError naming archive and member where it is no archive or has no such file, or an empty one;
///   ResourceError if the cache cannot be written, or is not private
std::filesystem::path archive_member(const std::filesystem::path& archive, const std::string& member,
                                     const std::filesystem::path& cache_dir);

}  // namespace gpuseq
