#include "bench/config/cache_dir.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "runtime/contract/errors.hpp"
#include "runtime/io/file_descriptor.hpp"
#include "runtime/io/private_file.hpp"
#include "runtime/io/program_name.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

/// An absolute path from the environment; empty if there is none.
fs::path absolute_from(const char* variable) {
  const char* value = std::getenv(variable);
  const fs::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : fs::path();
}

/// Whether a folder can be the caller's home. Some systems make homes writable for their group. A folder that
/// everybody can write to, such as /tmp, is not a home.
bool is_own_home(const fs::path& home) {
  struct stat status {};
  return home.is_absolute() && stat(home.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid() && (status.st_mode & S_IWOTH) == 0;
}

fs::path home_in_user_database() {
  std::vector<char> room(std::size_t{1} << 14);
  struct passwd entry {};
  struct passwd* found = nullptr;
  if (getpwuid_r(geteuid(), &entry, room.data(), room.size(), &found) != 0 || found == nullptr) return {};
  return entry.pw_dir;
}

/// Locks the cache until the process ends, so that `cache --clear` does not delete files that are opened by
/// name.
void hold(const fs::path& cache) {
  static FileDescriptor held;
  held = FileDescriptor(open(cache.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (held) flock(held.get(), LOCK_SH | LOCK_NB);
}

}  // namespace

CacheDir default_cache_dir() {
  fs::path folder = absolute_from("XDG_CACHE_HOME");
  for (const fs::path& home : {absolute_from("HOME"), home_in_user_database()})
    if (folder.empty() && is_own_home(home)) folder = home / ".cache";
  if (folder.empty())
    return {{}, "neither XDG_CACHE_HOME nor HOME is set to a folder of the user, and the user has no home"};
  folder /= kProgramName;
  std::string reason = why_not_private(folder);
  if (!reason.empty()) folder.clear();
  return {folder, reason};
}

fs::path chosen_cache_dir(const fs::path& named, const std::string& where) {
  if (!named.empty()) {
    if (const std::string reason = make_private_folder(named); !reason.empty())
      throw UsageError(fmt::format(
          "{}: {}; a cache that others may write to can hold forged kernels and indexes", where, reason));
    hold(named);
    return named;
  }
  CacheDir cache = default_cache_dir();
  if (cache.path.empty())
    say(stderr, "nothing is cached: {}; a private folder can be named with --cache-dir or \"cache_dir\"\n",
        cache.remark);
  else if (make_private_folder(cache.path).empty())
    hold(cache.path);
  return cache.path;
}

}  // namespace gpuseq::bench
