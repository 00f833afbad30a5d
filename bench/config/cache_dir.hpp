#pragma once

#include <filesystem>
#include <string>

namespace gpuseq::bench {

/// The folder of built indexes, compiled kernels and unpacked data.
struct CacheDir {
  std::filesystem::path path;  // empty: no cache
  std::string remark;          // why there is no cache
};

/// $XDG_CACHE_HOME/gpuseq-bench if that variable is an absolute path (the XDG Base Directory Specification
/// ignores others); else .cache/gpuseq-bench in the caller's home: $HOME or, if that is not a folder of the
/// caller, the home in the user database. No cache if there is no home, or if the folder exists and is not
/// private (private_file.hpp): files in a folder that others can write to can be forged.
CacheDir default_cache_dir();

/// The cache to use; prints to stderr if there is none. Until the process ends, a shared lock on the folder
/// shows `cache --clear` that the cache is in use.
/// @param named  by the user; empty: default_cache_dir()
/// @param where  "--cache-dir", "x.json: /cache_dir"
/// @throws UsageError if the named folder cannot be created or is not private, with its mode or owner and the
/// allowed ones
std::filesystem::path chosen_cache_dir(const std::filesystem::path& named, const std::string& where);

}  // namespace gpuseq::bench
