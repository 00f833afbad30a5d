#pragma once

#include <sys/file.h>

#include <filesystem>
#include <functional>

#include "runtime/io/file_descriptor.hpp"

namespace gpuseq::bench {

/// Holds a folder for one command at a time: a run with its workers, a resumed run, a merge into it.
/// A lock of the kernel (flock) on the file `.lock` in the folder, which has its holder as JSON; it
/// ends with the last process that has the descriptor, however that dies. So it is also held while a
/// worker outlives its supervisor, and a file that a killed command left blocks no command.
class RunLock {
 public:
  static constexpr const char* file_name = ".lock";
  using Flock = std::function<int(int descriptor, int operation)>;

  /// Takes the lock of an existing folder. Where the holder is dead and only its worker still lives, waits
  /// for the end of that. A file system without locks is said on stderr, once, and the folder is used
  /// without.
  /// @throws UsageError saying who holds the folder, before anything in it is changed, or that it cannot be
  /// written
  explicit RunLock(const std::filesystem::path& dir, const Flock& lock = ::flock);
  /// Removes the file and lets go.
  ~RunLock();
  RunLock(RunLock&&) noexcept = default;
  RunLock& operator=(RunLock&&) = delete;

  /// The descriptor that a worker inherits; -1 without a lock.
  int descriptor() const { return file_.get(); }

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
};

}  // namespace gpuseq::bench
