#include "runtime/scratch_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "runtime/errors.hpp"

namespace gpuseq {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kScratchPrefix = "gpuseq-scratch-";

FileDescriptor opened_folder(const fs::path& path) {
  return FileDescriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

/// Removes scratch folders that nobody holds: their processes died.
void remove_abandoned(const fs::path& parent) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    if (!entry.path().filename().string().starts_with(kScratchPrefix)) continue;
    const FileDescriptor folder = opened_folder(entry.path());
    if (folder && flock(folder.get(), LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry.path(), error);
  }
}

}  // namespace

ScratchFolder::ScratchFolder(const fs::path& parent) {
  std::error_code error;
  const fs::path base = parent.empty() ? fs::temp_directory_path() : parent;
  fs::create_directories(base, error);
  remove_abandoned(base);
  std::string pattern = (base / (std::string(kScratchPrefix) + "XXXXXX")).string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw ResourceError(fmt::format("cannot make a folder in {}: {}", base.string(), std::strerror(errno)));
  path_ = pattern;
  lock_ = opened_folder(path_);
  if (lock_) flock(lock_.get(), LOCK_SH | LOCK_NB);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace gpuseq
