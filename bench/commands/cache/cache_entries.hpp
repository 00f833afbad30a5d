#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpuseq::bench {

/// The kinds of entries in the cache: "cubins", "sorted-texts", "suffix-trees", "profiles", "winners",
/// "data", "tools", and "unfinished" of processes that died while they wrote.
std::span<const std::string_view> cache_kinds();

/// A file of the cache, or a folder with one entry: a machine profile, or the index of an external tool.
struct CacheEntry {
  std::string_view kind;
  std::filesystem::path path;  // below the cache
  std::uint64_t bytes = 0;
  double age_s = 0;     // since it was last written
  std::string of = {};  // its owner: a machine, an archive's member; may be empty
};

/// The entries of this program in a folder, by kind and path. Files of other names, of other users, and
/// symbolic links are not its own and are left out; no link below the cache is followed.
std::vector<CacheEntry> cache_entries(const std::filesystem::path& cache);

struct Cleared {
  std::vector<CacheEntry> removed;
  std::vector<std::string> kept;  // entries that were to go and stay, with the reason
};

/// Removes entries of those kinds; of all where none is given. Files that a run may hold open are harmless to
/// remove; unpacked data and prepared inputs of tools are kept while any process uses the cache.
Cleared clear_cache(const std::filesystem::path& cache, std::span<const std::string> kinds);

}  // namespace gpuseq::bench
