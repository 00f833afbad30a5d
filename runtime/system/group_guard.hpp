#pragma once

#include <sys/types.h>

#include "runtime/io/file_descriptor.hpp"

namespace gpuseq {

/// A shell that briefly outlives this process: if this process ends before release(), the shell kills
/// the process group with SIGKILL. PR_SET_PDEATHSIG reaches only the child; this also reaches the
/// child's descendants.
class GroupGuard {
 public:
  /// Starts the shell. If that fails, the guard does nothing.
  GroupGuard();
  /// Ends the shell without killing anything.
  ~GroupGuard();
  GroupGuard(const GroupGuard&) = delete;
  GroupGuard& operator=(const GroupGuard&) = delete;

  /// Sets the group, once.
  void watch(pid_t group) const;

 private:
  FileDescriptor words_;  // the shell's input
  pid_t shell_ = -1;
};

}  // namespace gpuseq
