#pragma once

#include <filesystem>
#include <string>

namespace gpuseq::bench {

/// Where built indexes, compiled kernels and unpacked data are kept.
struct CacheDir {
  std::filesystem::path path;  // empty: nothing is cached
  std::string remark;          // then why
};

/// $XDG_CACHE_HOME/gpuseq-bench where that variable is an absolute path (others the XDG Base Directory
/// Specification bids to ignore); else .cache/gpuseq-bench in the caller's home: $HOME, or where that is no
/// folder of the caller the home of the user database. No cache where there is no home, or where the folder
/// is there and not private (private_file.hpp): what lies in a folder that others may write to can be forged.
CacheDir default_cache_dir();

/// The cache to use; where there is none that is said on stderr. Until the process ends it holds a shared
/// lock on the folder, by which `cache --clear` sees that the cache is in use.
/// @param named  by the user; empty: default_cache_dir()
/// @param where  "--cache-dir", "x.json: /cache_dir"
/// @throws UsageError if the named folder cannot be made or is not private, with its mode or owner and what
/// is
///   allowed: who names one wants it used
std::filesystem::path chosen_cache_dir(const std::filesystem::path& named, const std::string& where);

}  // namespace gpuseq::bench
