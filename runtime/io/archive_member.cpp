#include "runtime/io/archive_member.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "runtime/contract/errors.hpp"
#include "runtime/folders/scratch_folder.hpp"
#include "runtime/io/hash.hpp"
#include "runtime/io/private_file.hpp"
#include "runtime/system/child_process.hpp"

namespace gpuseq {

namespace fs = std::filesystem;

fs::path archive_member(const fs::path& archive, const std::string& member, const fs::path& cache_dir) {
  std::error_code error;
  struct stat about {};
  if (stat(archive.c_str(), &about) != 0)
    throw UsageError(fmt::format("cannot read {}: {}", archive.string(), std::strerror(errno)));
  // Unlike the modification time (touch, cp -p, tar), the change time cannot be set back.
  const std::string key = fmt::format("{}\n{}\n{}\n{}\n{}.{}\n{}.{}", fs::absolute(archive).string(), member,
                                      about.st_ino, about.st_size, about.st_mtim.tv_sec,
                                      about.st_mtim.tv_nsec, about.st_ctim.tv_sec, about.st_ctim.tv_nsec);
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
    // A folder's name would extract all its files, one after the other.
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
