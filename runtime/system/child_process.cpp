#include "runtime/system/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <span>

#include "runtime/contract/errors.hpp"
#include "runtime/io/file_descriptor.hpp"
#include "runtime/system/group_guard.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Defers SIGINT and SIGTERM while a child runs, so that it can be killed before they take effect.
class HeldSignals {
 public:
  HeldSignals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGINT);
    sigaddset(&set_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
    arrived_ = FileDescriptor(signalfd(-1, &set_, SFD_CLOEXEC | SFD_NONBLOCK));
  }
  ~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  int descriptor() const { return arrived_.get(); }
  const sigset_t& before() const { return before_; }
  /// Sends the received signal again; it is delivered when the signals are unblocked.
  void pass_on() const {
    signalfd_siginfo info{};
    if (read(arrived_.get(), &info, sizeof info) == sizeof info) raise(static_cast<int>(info.ssi_signo));
  }

 private:
  sigset_t set_{}, before_{};
  FileDescriptor arrived_;
};

FileDescriptor opened(const fs::path& path, int flags) {
  const std::string name = path.empty() ? "/dev/null" : path.string();
  FileDescriptor file(open(name.c_str(), flags | O_CLOEXEC, 0644));
  if (!file) throw ResourceError(fmt::format("cannot open {}: {}", name, std::strerror(errno)));
  return file;
}

/// The data of the new process, prepared before it starts: until exec it shares this process's memory.
struct Launch {
  std::string program, folder;
  std::vector<char*> arguments;
  int in = -1, out = -1, err = -1;
  std::span<const int> kept;
  rlim_t most_file_bytes = RLIM_INFINITY;
  pid_t parent = 0;
  const sigset_t* signals = nullptr;
  volatile int error = 0;  // errno of the failure before exec
};

/// The new process up to exec: system calls only.
[[noreturn]] void become(Launch& launch) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launch.parent) _exit(127);  // the parent has ended in between
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) signal(number, SIG_DFL);
  const rlimit limit{launch.most_file_bytes, launch.most_file_bytes};
  const bool ready = setrlimit(RLIMIT_FSIZE, &limit) == 0 && dup2(launch.in, STDIN_FILENO) >= 0 &&
                     dup2(launch.out, STDOUT_FILENO) >= 0 && dup2(launch.err, STDERR_FILENO) >= 0 &&
                     (launch.folder.empty() || chdir(launch.folder.c_str()) == 0);
  for (const int descriptor : launch.kept) fcntl(descriptor, F_SETFD, 0);
  sigprocmask(SIG_SETMASK, launch.signals, nullptr);
  if (ready) execv(launch.program.c_str(), launch.arguments.data());
  launch.error = errno;
  _exit(127);
}

/// vfork, because the worker may have tens of gigabytes whose page tables fork would copy, and posix_spawn
/// can set neither the parent-death signal nor the file size limit.
pid_t start(Launch& launch) {
  const pid_t pid = vfork();     // NOLINT(clang-analyzer-security.insecureAPI.vfork): as said
  if (pid == 0) become(launch);  // NOLINT(clang-analyzer-unix.Vfork): it ends in execv or _exit
  return pid;
}

struct Ended {
  int status = 0;
  rusage use{};
};

Ended reap(pid_t pid) {
  Ended ended;
  while (wait4(pid, &ended.status, 0, &ended.use) < 0 && errno == EINTR) {
  }
  return ended;
}

enum class Waited { ended, timed_out, given_up, interrupted, unwatched };

/// @param reason  receives the reason for ending the child
Waited wait_for(pid_t pid, const ChildCommand& command, const HeldSignals& signals, std::string& reason) {
  const double timeout_s = command.timeout_s;
  // glibc 2.36 declares pidfd_open() without C linkage.
  const FileDescriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!process) return Waited::unwatched;
  const auto start = Clock::now();
  while (true) {
    const double left_s = timeout_s - seconds_since(start);
    if (timeout_s > 0 && left_s <= 0) return Waited::timed_out;
    constexpr double kLongestPollS = 1000, kAskedEachS = 0.2;
    const double longest_s = command.why_end ? kAskedEachS : kLongestPollS;
    const int wait_ms =
        static_cast<int>(std::ceil(1e3 * (timeout_s > 0 ? std::min(left_s, longest_s) : longest_s)));
    std::array<pollfd, 2> watched{{{.fd = process.get(), .events = POLLIN, .revents = 0},
                                   {.fd = signals.descriptor(), .events = POLLIN, .revents = 0}}};
    poll(watched.data(), watched.size(), wait_ms);
    if (watched[0].revents != 0) return Waited::ended;
    if (watched[1].revents != 0) return Waited::interrupted;
    if (command.why_end) reason = command.why_end();
    if (!reason.empty()) return Waited::given_up;
  }
}

std::string end_of(const fs::path& path) {
  constexpr std::streamoff kTail = 4096;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (path.empty() || !file) return "";
  file.seekg(std::max<std::streamoff>(0, static_cast<std::streamoff>(file.tellg()) - kTail));
  return last_lines(std::string(std::istreambuf_iterator<char>(file), {}));
}

[[noreturn]] void throw_failed(const ChildCommand& command, const std::string& kind, const std::string& what,
                               std::optional<int> exit_code = {}) {
  const std::string said = end_of(command.err);
  throw ChildFailed(kind,
                    fmt::format("{} {}{}", command.arguments.front(), what,
                                said.empty() ? "" : "; its last words: " + said),
                    exit_code);
}

void check_end(const ChildCommand& command, Waited waited, const std::string& reason, int status) {
  if (waited == Waited::timed_out)
    throw_failed(command, "timeout", fmt::format("was killed after {:g} s", command.timeout_s));
  if (waited == Waited::given_up) throw_failed(command, "timeout", "was killed: " + reason);
  if (waited == Waited::interrupted) throw_failed(command, "error", "was interrupted");
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ)
    throw_failed(command, "error", fmt::format("wrote more than {} bytes", command.most_file_bytes));
  if (WIFSIGNALED(status))
    throw_failed(command, "crash",
                 fmt::format("died of signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status))));
  if (WEXITSTATUS(status) != 0)
    throw_failed(command, "error", fmt::format("ended with exit code {}", WEXITSTATUS(status)),
                 WEXITSTATUS(status));
}

Launch launch_of(const ChildCommand& command, std::vector<std::string>& arguments) {
  if (arguments.empty()) throw ResourceError("there is no program to run");
  const auto program = find_program(arguments.front());
  if (!program) throw ResourceError(fmt::format("there is no program {}", arguments.front()));
  Launch launch;
  launch.program = program->string();
  launch.folder = command.folder.string();
  for (std::string& argument : arguments) launch.arguments.push_back(argument.data());
  launch.arguments.push_back(nullptr);
  if (command.most_file_bytes != 0) launch.most_file_bytes = command.most_file_bytes;
  launch.kept = command.kept;
  launch.parent = getpid();
  return launch;
}

/// Upper bound of ru_maxrss that a child inherits from this process before exec. The kernel updates the count
/// of pages only occasionally: two readings of the same memory may differ by some pages.
long most_inherited() {
  constexpr long kUncounted = 8192;
  rusage own{};
  getrusage(RUSAGE_SELF, &own);
  return own.ru_maxrss + kUncounted;
}

}  // namespace

ChildUse run_child(const ChildCommand& command) {
  std::vector<std::string> arguments = command.arguments;
  Launch launch = launch_of(command, arguments);
  const FileDescriptor in = opened({}, O_RDONLY);
  const FileDescriptor out = opened(command.out, O_WRONLY | O_CREAT | O_TRUNC);
  const FileDescriptor err = opened(command.err, O_WRONLY | O_CREAT | O_TRUNC);
  launch.in = in.get();
  launch.out = out.get();
  launch.err = err.get();
  const HeldSignals signals;
  launch.signals = &signals.before();
  const GroupGuard guard;
  const auto begun = Clock::now();
  const pid_t pid = start(launch);
  if (pid < 0) throw ResourceError(fmt::format("no process can be made: {}", std::strerror(errno)));
  guard.watch(pid);
  std::string reason;
  const Waited waited = launch.error == 0 ? wait_for(pid, command, signals, reason) : Waited::ended;
  const double elapsed_s = seconds_since(begun);
  // Before its leader is reaped, while the group's number cannot be reused; this also ends its descendants.
  kill(-pid, SIGKILL);
  const Ended ended = reap(pid);
  if (launch.error != 0)
    throw ResourceError(
        fmt::format("{} cannot be started: {}", command.arguments.front(), std::strerror(launch.error)));
  if (waited == Waited::unwatched) throw ResourceError("this system cannot watch a process (pidfd_open)");
  if (waited == Waited::interrupted) signals.pass_on();
  check_end(command, waited, reason, ended.status);
  constexpr std::uint64_t kMaxRssUnit = 1024;
  const bool hidden = ended.use.ru_maxrss <= most_inherited();
  return {.elapsed_s = elapsed_s,
          .cpu_s = seconds_of(ended.use.ru_utime) + seconds_of(ended.use.ru_stime),
          .peak_memory_bytes = hidden ? 0 : static_cast<std::uint64_t>(ended.use.ru_maxrss) * kMaxRssUnit};
}

std::optional<fs::path> find_program(std::string_view name) {
  const auto runs = [](const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
  };
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string_view::npos) {
    const fs::path path = fs::absolute(name);
    return runs(path) ? std::optional(path) : std::nullopt;
  }
  const char* set = std::getenv("PATH");
  std::string_view folders = set == nullptr ? "/usr/bin:/bin" : set;
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const fs::path path = fs::absolute(fs::path(folders.substr(0, end)) / name);
    if (runs(path)) return path;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return std::nullopt;
}

std::string last_lines(std::string_view text) {
  constexpr std::size_t kLines = 3, kMost = 400;
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < kLines) {
    const std::size_t end = text.find_last_of("\r\n");
    std::string line(text.substr(end == std::string_view::npos ? 0 : end + 1));
    text = text.substr(0, end == std::string_view::npos ? 0 : end);
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    if (line.find_first_not_of(" ?") != std::string::npos) lines.insert(lines.begin(), std::move(line));
  }
  std::string joined = fmt::format("{}", fmt::join(lines, " | "));
  return joined.size() <= kMost ? joined : "..." + joined.substr(joined.size() - kMost);
}

}  // namespace gpuseq
