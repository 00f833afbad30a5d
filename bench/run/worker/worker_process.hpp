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
  bool cut = false;  // at its end_s
  bool interrupted = false;
};

/// A worker process and the connection to it.
class WorkerProcess {
 public:
  /// Starts this program again as a worker of the run, in a process group of its own, so that Ctrl-C reaches
  /// the supervisor alone; it dies with the supervisor, and holds the run's lock for as long as it lives.
  /// @throws ResourceError if the system refuses a process
  explicit WorkerProcess(const LockedFolder& run);
  /// Ends the worker: it leaves by itself when the connection closes, and is killed after some seconds.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  struct Limits {
    double timeout_s = 0;  // without a reply
    double end_s = 0;      // in all
  };
  /// Sends a request and hands every reply to `hear` until `hear` returns true. Kills the worker at either
  /// limit, and when interrupted() is true.
  /// @returns how the worker ended, if it ended before that
  std::optional<WorkerEnd> ask(const nlohmann::json& request, const Limits& limits,
                               const std::function<bool(const nlohmann::json&)>& hear);

 private:
  enum class Heard { more, enough, closed };
  Heard read_replies(const std::function<bool(const nlohmann::json&)>& hear);
  void send(const std::string& line);
  WorkerEnd reap();
  void stop(int signal);

  pid_t pid_ = -1;
  FileDescriptor connection_;
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
