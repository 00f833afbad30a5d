#include "runtime/io/archive_member.hpp"

#include <fmt/format.h>

#include <chrono>

#include "runtime/contract/errors.hpp"
#include "runtime/io/hash.hpp"
#include "runtime/io/private_file.hpp"
#include "runtime/system/child_process.hpp"
#include "runtime/system/scratch_folder.hpp"

namespace gpuseq {

namespace fs = std::filesystem;

fs::path archive_member(const fs::path& archive, const std::string& member, const fs::path& cache_dir) {
  std::error_code error;
  const auto size = fs::file_size(archive, error);
  if (error) throw UsageError(fmt::format("cannot read {}: {}", archive.string(), error.message()));
  const auto changed = fs::last_write_time(archive, error).time_since_epoch();
  const std::string key = fmt::format("{}\n{}\n{}\n{}", fs::absolute(archive).string(), member, size,
                                      std::chrono::nanoseconds(changed).count());
  const fs::path folder = cache_dir / "data";
  fs::path file = folder / fmt::format("{}-{}", hash_hex16(key), fs::path(member).filename().string());
  if (const std::string reason = make_private_folder(cache_dir); !reason.empty())
    throw ResourceError(fmt::format("cannot unpack {}: {}", archive.string(), reason));
  std::string refusal;
  if (open_private_file(file, refusal)) return file;

  const ScratchFolder scratch(folder);
  const fs::path unpacked = scratch.path() / "member";
  const auto refuse = [&](const std::string& reason) {
    throw UsageError(fmt::format("{}: member {}: {}; allowed: a file of the archive, as tar -tf lists it",
                                 archive.string(), member, reason));
  };
  try {
    // A folder's name would bring all its files, one behind the other.
    run_child({.arguments = {"tar", "--extract", "--to-stdout", "--force-local", "--no-recursion", "--file",
                             fs::absolute(archive), "--", member},
               .out = unpacked,
               .err = scratch.path() / "errors"});
  } catch (const ChildFailed& failure) {
    refuse(failure.what());
  }
  if (fs::file_size(unpacked, error) == 0 || error) refuse("an empty file, or none");
  fs::permissions(unpacked, fs::perms::owner_read | fs::perms::owner_write, error);
  if (std::error_code none; fs::is_directory(fs::symlink_status(file, none))) fs::remove(file, none);
  if (!error) fs::rename(unpacked, file, error);
  if (error) throw ResourceError(fmt::format("cannot write {}: {}", file.string(), error.message()));
  return file;
}

}  // namespace gpuseq
