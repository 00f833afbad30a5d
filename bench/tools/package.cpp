#include "bench/tools/package.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "bench/config/provenance.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/file_descriptor.hpp"
#include "runtime/system/child_process.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

[[noreturn]] void refuse(const std::string& why) {
  throw ResourceError(
      fmt::format("the Python package gpuseq, which draws figures and pages, cannot be called: {}; get it: "
                  "{}; records need no package",
                  why, how_to_get_package()));
}

/// The interpreter. @throws ResourceError
fs::path interpreter() {
  fs::path python = package_python();
  const char* given = std::getenv("GPUSEQ_PYTHON");
  if (python.empty())
    refuse(fmt::format("{} is not there", given != nullptr && *given != '\0'
                                              ? given
                                              : (source_root() / ".venv/bin/python").string()));
  if (!find_program(python.string())) refuse(fmt::format("{} is not a program", python.string()));
  return python;
}

/// Sets the package of this program's checkout, whose configs and published values it reads, and the path of
/// this program for the package's commands that call it.
void set_environment(const json& exec) {
  setenv("PYTHONPATH", (source_root() / "reports").c_str(), 1);
  std::error_code error;
  setenv("GPUSEQ_PROGRAM", fs::read_symlink("/proc/self/exe", error).c_str(), 1);
  setenv("PYTHONDONTWRITEBYTECODE", "1", 0);
  if (!exec.is_null()) setenv("GPUSEQ_EXEC_USES", exec.dump().c_str(), 1);
}

/// Prints the packages that the interpreter lacks, if any.
fs::path start_script() {
  return source_root() / "reports" / "start.py";
}

/// Waits for a process. @returns whether it has ended; then with its status
bool ended_within(pid_t child, double seconds, int& status) {
  constexpr auto kBetweenLooks = std::chrono::milliseconds(20);
  for (const auto begun = std::chrono::steady_clock::now(); seconds_since(begun) < seconds;
       std::this_thread::sleep_for(kBetweenLooks))
    if (waitpid(child, &status, WNOHANG) == child) return true;
  return false;
}

[[noreturn]] void execute(const fs::path& python, const std::vector<std::string>& arguments) {
  std::vector<std::string> words{python.string(), start_script().string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(python.c_str(), pointers.data());
  const int error = errno;
  fmt::print(stderr, "error: {} cannot be started: {}\n", python.string(), std::strerror(error));
  _exit(127);
}

}  // namespace

std::string_view how_to_get_package() {
  std::error_code error;
  return fs::exists(source_root() / "requirements.txt", error)
             ? "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt"
             : "pip install 'gpuseq-bench[report]' with Python 3.11 or later";
}

fs::path package_python() {
  const char* given = std::getenv("GPUSEQ_PYTHON");
  const fs::path python =
      given != nullptr && *given != '\0' ? given : source_root() / ".venv" / "bin" / "python";
  std::error_code error;
  return fs::exists(python, error) ? python : fs::path();
}

std::string why_no_package() {
  try {
    const fs::path python = interpreter();
    run_child({.arguments = {python.string(), "-B", start_script().string(), "--check"}, .timeout_s = 120});
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

json exec_uses(const Registry& registry) {
  const std::vector<AxisValue> no_or_yes{AxisValue("no"), AxisValue("yes")};
  json uses = json::object();
  for (const auto& family : registry.families) {
    json roles = json::array(), variants = json::array(), options = json::object();
    for (const auto& [role, meaning] : family->exec_roles())
      if (role != "out") roles.push_back(role);
    if (roles.empty()) continue;
    for (const Variant& variant : family->variants()) variants.push_back(variant.name);
    for (const Axis& axis : family->exec_options().axes())
      if (family->problem_space().find(axis.name) != nullptr) options[axis.name] = axis.values == no_or_yes;
    uses[family->name()] = {{"roles", roles}, {"variants", variants}, {"options", options}};
  }
  return uses;
}

int call_package(const std::vector<std::string>& arguments, const PackageStreams& streams, const json& exec) {
  const fs::path python = interpreter();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw ResourceError(fmt::format("no pipe: {}", std::strerror(errno)));
  FileDescriptor reading(ends[0]), writing(ends[1]);
  const bool limited = std::isfinite(streams.most_s);
  const pid_t child = fork();
  if (child < 0) throw ResourceError(fmt::format("no process: {}", std::strerror(errno)));
  if (child == 0) {
    if (limited) setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(reading.get(), 0);
    if (streams.out != 1) dup2(streams.out, 1);
    set_environment(exec);
    execute(python, arguments);
  }
  reading = FileDescriptor();
  const auto old = std::signal(SIGPIPE, SIG_IGN);  // a package that fails at once reads no input
  static_cast<void>(writing.write_all(streams.input));
  std::signal(SIGPIPE, old);
  writing = FileDescriptor();
  int status = 0;
  if (limited && !ended_within(child, streams.most_s, status)) {
    if (kill(-child, SIGKILL) != 0) kill(child, SIGKILL);  // its group may not exist yet
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return kPackageStopped;
  }
  if (!limited)
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void become_package(const std::vector<std::string>& arguments, const json& exec) {
  const fs::path python = interpreter();
  set_environment(exec);
  execute(python, arguments);
}

}  // namespace gpuseq::bench
