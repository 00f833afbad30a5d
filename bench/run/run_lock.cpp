#include "bench/run/run_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "bench/config/provenance.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/say.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string content_of(const fs::path& path) {
  try {
    return read_file(path);
  } catch (const UsageError&) {
    return {};
  }
}

std::string own_command() {
  std::string command = content_of("/proc/self/cmdline");
  while (command.ends_with('\0')) command.pop_back();
  std::ranges::replace(command, '\0', ' ');
  return command;
}

/// Who holds the lock, as its file says; a file that says nothing usable makes null values.
struct Holder {
  pid_t pid = 0;
  std::string host, started, command;

  bool is_here() const { return pid > 0 && host == host_name(); }
  /// Dead, or dead but for its parent's having taken note of it.
  bool has_died() const {
    if (kill(pid, 0) != 0 && errno == ESRCH) return true;
    const std::string status = content_of(fmt::format("/proc/{}/stat", pid));
    const std::size_t name_end = status.rfind(')');
    return name_end != std::string::npos && status.compare(name_end, 3, ") Z") == 0;
  }
  std::string text() const {
    if (pid <= 0) return "another process";
    return fmt::format("process {} on {}, since {}: {}", pid, host, started, command);
  }
};

Holder holder_of(const fs::path& path) {
  const json said = json::parse(content_of(path), nullptr, /*allow_exceptions=*/false);
  try {
    return {.pid = said.at("pid").get<pid_t>(),
            .host = said.at("host").get<std::string>(),
            .started = said.at("started").get<std::string>(),
            .command = said.at("command").get<std::string>()};
  } catch (const json::exception&) {
    return {};
  }
}

/// For people alone: where it cannot be written (full disk) the lock is as good.
void say_who(const FileDescriptor& file) {
  const nlohmann::ordered_json said{
      {"pid", getpid()}, {"host", host_name()}, {"started", utc_now()}, {"command", own_command()}};
  if (ftruncate(file.get(), 0) != 0) return;
  static_cast<void>(
      file.write_all(said.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n"));
}

/// Whether the path still names the open file: who held the lock before removes it when done.
bool is_at(const FileDescriptor& file, const fs::path& path) {
  struct stat open_one {
  }, named{};
  return fstat(file.get(), &open_one) == 0 && stat(path.c_str(), &named) == 0 &&
         open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino;
}

FileDescriptor open_lock(const fs::path& path) {
  FileDescriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file)
    throw UsageError(fmt::format("the output folder {} cannot be written: cannot open {}: {}",
                                 path.parent_path().string(), path.string(), std::strerror(errno)));
  return file;
}

enum class Taken { yes, held, no_locks };

Taken take(const FileDescriptor& file, const RunLock::Flock& lock) {
  while (lock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    return errno == EWOULDBLOCK ? Taken::held : Taken::no_locks;
  }
  return Taken::yes;
}

/// @throws UsageError unless it is worth to wait a little longer
void refuse_or_wait(const fs::path& path, double waited_s) {
  constexpr double kDyingWorkerS = 10;
  const Holder holder = holder_of(path);
  const bool only_its_worker = holder.is_here() && holder.has_died();
  if (!only_its_worker || waited_s > kDyingWorkerS)
    throw UsageError(fmt::format("the run folder {} is in use by {}{}", path.parent_path().string(),
                                 holder.text(),
                                 only_its_worker ? "; that is dead, but its worker still lives" : ""));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

}  // namespace

RunLock::RunLock(const fs::path& dir, const Flock& lock) : path_(dir / file_name) {
  const auto start = std::chrono::steady_clock::now();
  while (true) {
    FileDescriptor file = open_lock(path_);
    const Taken taken = take(file, lock);
    if (taken == Taken::no_locks) {
      say(stderr, "{}: the file system has no locks ({}): nothing keeps a second run out of {}\n",
          path_.string(), std::strerror(errno), dir.string());
      unlink(path_.c_str());
      return;
    }
    if (taken == Taken::held) {
      refuse_or_wait(path_, seconds_since(start));
    } else if (is_at(file, path_)) {
      say_who(file);
      file_ = std::move(file);
      return;
    }
  }
}

RunLock::~RunLock() {
  if (file_ && is_at(file_, path_)) unlink(path_.c_str());
}

}  // namespace gpuseq::bench
