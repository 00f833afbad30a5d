#pragma once

#include <sys/types.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "bench/run/run_folder.hpp"
#include "runtime/io/file_descriptor.hpp"

namespace gpuseq::bench {

/// How a worker process ended.
struct WorkerEnd {
  std::optional<int> exit_code;
  int signal = 0;
  bool timed_out = false;
  bool interrupted = false;
};

/// A worker process and its messages.
class WorkerProcess {
 public:
  /// Starts this program again as a worker of the run, in a process group of its own, so that Ctrl-C reaches
  /// the supervisor alone; it dies with the supervisor, and holds the run's lock for as long as it lives.
  /// @throws ResourceError if no process can be made
  explicit WorkerProcess(const LockedFolder& run);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Hands every message to `hear` until the worker has ended. Kills it after `timeout_s` without a message,
  /// and when interrupted() says so.
  WorkerEnd wait(double timeout_s, const std::function<void(const nlohmann::json&)>& hear);

 private:
  bool read_messages(const std::function<void(const nlohmann::json&)>& hear);
  WorkerEnd reap();
  void stop(int signal);

  pid_t pid_ = -1;
  FileDescriptor messages_;
  std::string partial_;
};

/// Takes SIGINT and SIGTERM while it lives: they are remembered, and nothing else happens.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};
bool interrupted();

}  // namespace gpuseq::bench
