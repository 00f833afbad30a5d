#include "bench/run/worker_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "runtime/contract/errors.hpp"
#include "runtime/io/program_name.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// The one thing that a signal handler may touch.
volatile std::sig_atomic_t interrupt_seen = 0;
void remember_interrupt(int) {
  interrupt_seen = 1;
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

[[noreturn]] void become_worker(const std::string& dir, int messages, int lock, pid_t supervisor) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) _exit(127);  // it died in between
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
  fcntl(lock, F_SETFD, 0);
  const std::string descriptor = std::to_string(messages), lock_descriptor = std::to_string(lock);
  execl("/proc/self/exe", kProgramName, "worker", dir.c_str(), "--messages", descriptor.c_str(), "--lock",
        lock_descriptor.c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupt_seen = 0;
  handle(SIGINT, remember_interrupt);
  handle(SIGTERM, remember_interrupt);
}
InterruptGuard::~InterruptGuard() {
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
}
bool interrupted() {
  return interrupt_seen != 0;
}

WorkerProcess::WorkerProcess(const LockedFolder& run) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0)
    throw ResourceError(fmt::format("no pipe can be made: {}", std::strerror(errno)));
  messages_ = FileDescriptor(ends[0]);
  const FileDescriptor worker_end(ends[1]);
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  const std::string dir = run.folder.dir.string();
  const pid_t supervisor = getpid();
  pid_ = fork();
  if (pid_ < 0) throw ResourceError(fmt::format("no process can be made: {}", std::strerror(errno)));
  if (pid_ == 0) become_worker(dir, ends[1], run.lock.descriptor(), supervisor);
}

WorkerProcess::~WorkerProcess() {
  if (pid_ > 0) {
    stop(SIGKILL);
    reap();
  }
}

void WorkerProcess::stop(int signal) {
  if (pid_ > 0) kill(pid_, signal);
}

WorkerEnd WorkerProcess::reap() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  WorkerEnd end;
  if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

/// Reads what is there; false once the worker has closed its end.
bool WorkerProcess::read_messages(const std::function<void(const nlohmann::json&)>& hear) {
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t got = read(messages_.get(), buffer.data(), buffer.size());
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return false;
    partial_.append(buffer.data(), static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t end; (end = partial_.find('\n', begin)) != std::string::npos; begin = end + 1) {
      const auto message =
          nlohmann::json::parse(partial_.begin() + static_cast<std::ptrdiff_t>(begin),
                                partial_.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
      if (message.is_object()) hear(message);
    }
    partial_.erase(0, begin);
  }
}

WorkerEnd WorkerProcess::wait(double timeout_s, const std::function<void(const nlohmann::json&)>& hear) {
  constexpr int kPollMs = 200;
  bool timed_out = false, stopped = false;
  auto last_progress = Clock::now();
  const auto heard = [&](const nlohmann::json& message) {
    last_progress = Clock::now();
    hear(message);
  };
  while (true) {
    pollfd waiting{.fd = messages_.get(), .events = POLLIN, .revents = 0};
    poll(&waiting, 1, kPollMs);
    if (!read_messages(heard)) break;
    const double silent_s = seconds_since(last_progress);
    if (interrupted() && !stopped) {
      stop(SIGINT);
      stopped = true;
    } else if (silent_s > timeout_s && !timed_out) {
      stop(SIGKILL);
      timed_out = true;
    } else if (stopped && silent_s > 5) {
      stop(SIGKILL);  // it does not listen
    }
  }
  WorkerEnd end = reap();
  end.timed_out = timed_out;
  end.interrupted = interrupted();
  return end;
}

}  // namespace gpuseq::bench
