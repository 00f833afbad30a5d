#pragma once

#include <sys/types.h>

#include "runtime/io/file_descriptor.hpp"

namespace gpuseq {

/// A shell that outlives this process by a moment: when this process dies before release(), the shell kills
/// the process group with SIGKILL. PR_SET_PDEATHSIG reaches a child alone; this also reaches the processes
/// that the child started.
class GroupGuard {
 public:
  /// Starts the shell. Where none can be started the guard does nothing.
  GroupGuard();
  /// Ends the shell, which then kills nothing.
  ~GroupGuard();
  GroupGuard(const GroupGuard&) = delete;
  GroupGuard& operator=(const GroupGuard&) = delete;

  /// Names the group, once.
  void watch(pid_t group) const;

 private:
  FileDescriptor words_;  // what the shell reads
  pid_t shell_ = -1;
};

}  // namespace gpuseq
