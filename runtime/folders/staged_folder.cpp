#include "runtime/folders/staged_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <vector>

#include "runtime/contract/errors.hpp"

namespace gpuseq {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_folder(const fs::path& folder, const std::error_code& error) {
  throw ResourceError(fmt::format("cannot write the folder {}: {}", folder.string(), error.message()));
}

fs::path resolved_folder(const fs::path& given) {
  std::error_code error;
  fs::path path = fs::weakly_canonical(fs::absolute(given), error);
  if (error) refuse_folder(given, error);
  return path.has_filename() ? path : path.parent_path();
}

bool is_mount(const fs::path& path) {
  struct statx status {};
  return statx(AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS, &status) == 0 &&
         (status.stx_attributes_mask & status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

bool is_empty_but_for(const fs::path& folder, std::string_view lost) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    if (entry->path().filename() != lost) return false;
  return !error;
}

/// Whether a rename can replace this existing folder.
bool can_be_replaced(const fs::path& folder, std::string_view lost) {
  std::error_code error;
  struct stat own {
  }, parent{};
  return is_empty_but_for(folder, lost) && !fs::equivalent(folder, fs::current_path(error), error) &&
         stat(folder.c_str(), &own) == 0 && stat(folder.parent_path().c_str(), &parent) == 0 &&
         own.st_dev == parent.st_dev && !is_mount(folder) &&
         access(folder.parent_path().c_str(), W_OK | X_OK) == 0;
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

}  // namespace

StagedFolder::StagedFolder(const fs::path& target, std::string_view lost)
    : target_(resolved_folder(target)), as_a_whole_(!is_there(target_) || can_be_replaced(target_, lost)) {
  std::error_code error;
  const fs::path base = as_a_whole_ ? target_.parent_path() : target_;
  fs::create_directories(base, error);
  if (error) refuse_folder(base, error);
  scratch_.emplace(ScratchFolder::Hidden{base});
  content_ = scratch_->path() / "content";
  fs::create_directory(content_, error);
  if (error) refuse_folder(target_, error);
}

void StagedFolder::publish() {
  std::error_code error;
  bool in_place = false;
  if (as_a_whole_) {
    const bool replaces = is_there(target_);
    if (replaces) fs::permissions(content_, fs::status(target_, error).permissions(), error);
    const unsigned flags = replaces ? RENAME_EXCHANGE : RENAME_NOREPLACE;
    in_place = renameat2(AT_FDCWD, content_.c_str(), AT_FDCWD, target_.c_str(), flags) == 0;
    const bool unsupported = !in_place && (errno == EINVAL || errno == ENOSYS || errno == EXDEV);
    if (!in_place && !unsupported) refuse_folder(target_, std::error_code(errno, std::generic_category()));
    if (unsupported && !replaces) {
      fs::rename(content_, target_, error);
      if (error) refuse_folder(target_, error);
      in_place = true;
    }
  }
  if (!in_place) move_entries();
  scratch_.reset();
}

void StagedFolder::move_entries() const {
  std::vector<fs::path> moved;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(content_)) {
    const fs::path name = entry.path().filename();
    fs::rename(entry.path(), target_ / name, error);
    if (error) {
      std::error_code ignored;
      for (const fs::path& back : moved) fs::rename(target_ / back, content_ / back, ignored);
      refuse_folder(target_, error);
    }
    moved.push_back(name);
  }
}

}  // namespace gpuseq
