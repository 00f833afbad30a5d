#include "runtime/folders/scratch_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "runtime/contract/errors.hpp"
#include "runtime/io/private_file.hpp"

namespace gpuseq {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kScratchPrefix = "gpuseq-scratch-", kHiddenPrefix = ".gpuseq-scratch-";
constexpr int kMostFolderNames = 100;

[[noreturn]] void refuse(const fs::path& base, const std::string& reason) {
  throw ResourceError(fmt::format("cannot make a folder in {}: {}", base.string(), reason));
}

/// Opens a folder, but does not follow a link.
FileDescriptor opened_folder(const fs::path& path) {
  FileDescriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  const bool own = folder && fstat(folder.get(), &status) == 0 && status.st_uid == geteuid();
  return own ? std::move(folder) : FileDescriptor();
}

/// Removes scratch folders without a lock: their processes have ended.
void remove_abandoned(const fs::path& parent, std::string_view prefix) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(parent, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (!entry->path().filename().string().starts_with(prefix)) continue;
    const FileDescriptor folder = opened_folder(entry->path());
    std::error_code ignored;
    if (folder && flock(folder.get(), LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry->path(), ignored);
  }
}

/// Locks a new folder. False if another process considered it abandoned, and removed it.
bool hold(const FileDescriptor& folder) {
  while (flock(folder.get(), LOCK_SH) != 0)
    if (errno != EINTR) break;  // without locks no process removes folders
  struct stat status {};
  return fstat(folder.get(), &status) == 0 && status.st_nlink > 0;
}

fs::path base_of(const fs::path& parent) {
  std::error_code error;
  fs::path base = parent.empty() ? fs::temp_directory_path(error) : parent;
  if (error) refuse("the folder of temporary files", error.message());
  if (parent.empty()) return base;  // shared by all users; each scratch folder is private
  if (const std::string reason = make_private_folder(base); !reason.empty()) refuse(base, reason);
  return base;
}

}  // namespace

void remove_abandoned_scratch(const fs::path& parent) {
  remove_abandoned(parent, kScratchPrefix);
}

ScratchFolder::ScratchFolder(const fs::path& parent) {
  make(base_of(parent), kScratchPrefix);
}

ScratchFolder::ScratchFolder(const Hidden& hidden) {
  make(hidden.in, kHiddenPrefix);
}

bool ScratchFolder::is_hidden_one(const fs::path& path) {
  return path.filename().string().starts_with(kHiddenPrefix);
}

void ScratchFolder::make(const fs::path& base, std::string_view prefix) {
  remove_abandoned(base, prefix);
  for (int attempt = 0; attempt < kMostFolderNames; ++attempt) {
    std::string pattern = (base / (std::string(prefix) + "XXXXXX")).string();
    if (mkdtemp(pattern.data()) == nullptr) refuse(base, std::strerror(errno));
    path_ = pattern;
    lock_ = opened_folder(path_);
    if (lock_ && hold(lock_)) return;
  }
  refuse(base, "other processes remove it");
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace gpuseq
