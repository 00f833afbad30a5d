#include "bench/run/worker/worker_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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

/// A signal handler may write to nothing else.
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
  if (getppid() != supervisor) _exit(127);  // the supervisor died before prctl()
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
  fcntl(lock, F_SETFD, 0);
  fcntl(messages, F_SETFD, 0);
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
  std::array<int, 2> ends{};  // closed in workers that another thread starts now
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw ResourceError(fmt::format("the system refuses a connection to a worker: {}", std::strerror(errno)));
  connection_ = FileDescriptor(ends[0]);
  const FileDescriptor worker_end(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  const std::string dir = run.folder.dir.string();
  const pid_t supervisor = getpid();
  pid_ = fork();
  if (pid_ < 0)
    throw ResourceError(fmt::format("the system refuses a worker process: {}", std::strerror(errno)));
  if (pid_ == 0) become_worker(dir, ends[1], run.lock.descriptor(), supervisor);
}

WorkerProcess::~WorkerProcess() {
  if (pid_ <= 0) return;
  constexpr int kLeaveMs = 10'000;
  shutdown(connection_.get(), SHUT_WR);
  pollfd closed{.fd = connection_.get(), .events = POLLIN, .revents = 0};
  if (interrupted() || poll(&closed, 1, kLeaveMs) <= 0) stop(SIGKILL);
  reap();
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

/// A worker that died takes no more; the replies that follow say so.
void WorkerProcess::send(const std::string& line) {
  std::size_t sent = 0;
  while (sent < line.size()) {
    const ssize_t written = ::send(connection_.get(), line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (written > 0) {
      sent += static_cast<std::size_t>(written);
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return;
    pollfd room{.fd = connection_.get(), .events = POLLOUT, .revents = 0};
    poll(&room, 1, -1);
  }
}

/// Reads the replies that have come.
WorkerProcess::Heard WorkerProcess::read_replies(const std::function<bool(const nlohmann::json&)>& hear) {
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t got = read(connection_.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == ECONNRESET) return Heard::closed;
    if (got < 0) return Heard::more;
    if (got == 0) return Heard::closed;
    partial_.append(buffer.data(), static_cast<std::size_t>(got));
    std::size_t end;
    while ((end = partial_.find('\n')) != std::string::npos) {
      const auto reply = nlohmann::json::parse(
          partial_.begin(), partial_.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
      partial_.erase(0, end + 1);
      if (reply.is_object() && hear(reply)) return Heard::enough;
    }
  }
}

std::optional<WorkerEnd> WorkerProcess::ask(const nlohmann::json& request, const Limits& limits,
                                            const std::function<bool(const nlohmann::json&)>& hear) {
  constexpr double kPollMs = 200;
  bool timed_out = false, cut = false, stopped = false;
  const auto asked = Clock::now();
  auto last_reply = asked;
  const auto heard = [&](const nlohmann::json& reply) {
    last_reply = Clock::now();
    return hear(reply);
  };
  send(request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  while (true) {
    pollfd waiting{.fd = connection_.get(), .events = POLLIN, .revents = 0};
    const double left_ms = 1e3 * (limits.end_s - seconds_since(asked));
    poll(&waiting, 1, static_cast<int>(std::clamp(left_ms + 1, 1.0, kPollMs)));
    const Heard so_far = read_replies(heard);
    if (so_far == Heard::enough) return std::nullopt;
    if (so_far == Heard::closed) break;
    const double silent_s = seconds_since(last_reply);
    if (interrupted() && !stopped) {
      stop(SIGINT);
      stopped = true;
    } else if (seconds_since(asked) > limits.end_s && !cut) {
      stop(SIGKILL);
      cut = true;
    } else if (silent_s > limits.timeout_s && !timed_out) {
      stop(SIGKILL);
      timed_out = true;
    } else if (stopped && silent_s > 5) {
      stop(SIGKILL);  // it ignores the interrupt
    }
  }
  WorkerEnd end = reap();
  end.timed_out = timed_out;
  end.cut = cut;
  end.interrupted = interrupted();
  return end;
}

}  // namespace gpuseq::bench
