#include "runtime/system/group_guard.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

namespace gpuseq {
namespace {

/// If the input ends without a second line, the process that wrote the first has ended.
constexpr const char* kShell = "/bin/sh";
constexpr const char* kScript =
    "trap '' INT TERM HUP; read -r group && { read -r end || kill -9 -\"$group\"; }";

/// A socket instead of a pipe, so that a missing reader does not raise SIGPIPE.
void send_line(const FileDescriptor& words, const std::string& line) {
  while (send(words.get(), line.data(), line.size(), MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

[[noreturn]] void become_shell(int input, int nowhere) {
  setpgid(0, 0);
  if (dup2(input, STDIN_FILENO) >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0 &&
      dup2(nowhere, STDERR_FILENO) >= 0)
    execl(kShell, kShell, "-c", kScript, static_cast<char*>(nullptr));
  _exit(127);
}

}  // namespace

GroupGuard::GroupGuard() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
  words_ = FileDescriptor(ends[0]);
  const FileDescriptor input(ends[1]), nowhere(open("/dev/null", O_RDWR | O_CLOEXEC));
  shell_ = vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork): as of run_child()
  if (shell_ == 0) become_shell(input.get(), nowhere.get());  // NOLINT(clang-analyzer-unix.Vfork)
}

GroupGuard::~GroupGuard() {
  if (shell_ <= 0) return;
  send_line(words_, "end\n");
  words_ = FileDescriptor();
  while (waitpid(shell_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void GroupGuard::watch(pid_t group) const {
  if (shell_ > 0) send_line(words_, fmt::format("{}\n", group));
}

}  // namespace gpuseq
