#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

// Runs this test program as gpuseq-bench with the toy registry (see program_test.cpp), as a real process.

namespace gpuseq::bench::testing {

inline std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline int count_lines(const std::filesystem::path& path, const std::string& with = "") {
  std::istringstream lines(content(path));
  int count = 0;
  for (std::string line; std::getline(lines, line);) count += line.find(with) != std::string::npos ? 1 : 0;
  return count;
}

/// A folder of its own for one test, removed at its end.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "gpuseq-bench-XXXXXX").string();
    dir_ = mkdtemp(name.data());
  }
  ~Scratch() {
    std::error_code error;
    std::filesystem::remove_all(dir_, error);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return dir_ / name; }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(dir_ / name) << text;
    return dir_ / name;
  }

 private:
  std::filesystem::path dir_;
};

class Program {
 public:
  /// @param prepare  runs in the new process before the program does
  Program(const Scratch& scratch, std::vector<std::string> arguments,
          const std::function<void()>& prepare = {})
      : out_(scratch / "out.txt"), err_(scratch / "err.txt") {
    // A test program without toy_main() would run its tests again, each in a process that does the same.
    if (std::getenv("GPUSEQ_TEST_PROGRAM") != nullptr)
      throw std::logic_error("a test program within a test program: its main() must be toy_main()");
    pid_ = fork();
    if (pid_ != 0) return;
    setenv("GPUSEQ_TEST_PROGRAM", "1", 1);
    setenv("TOY_LOG", (scratch / "toys.log").c_str(), 1);
    setenv("XDG_CACHE_HOME", (scratch / "cache").c_str(), 1);
    redirect(out_, 1);
    redirect(err_, 2);
    if (prepare) prepare();
    std::vector<char*> pointers{const_cast<char*>("gpuseq-bench")};
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execv("/proc/self/exe", pointers.data());
    _exit(126);
  }
  ~Program() {
    if (pid_ > 0) {
      kill(SIGKILL);
      wait();
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }
  void kill(int signal) const { ::kill(pid_, signal); }
  /// Exit code, or minus the signal.
  int wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  std::string out() const { return content(out_); }
  std::string err() const { return content(err_); }

 private:
  static void redirect(const std::filesystem::path& to, int descriptor) {
    const int file = open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(file, descriptor);
    close(file);
  }
  std::filesystem::path out_, err_;
  pid_t pid_ = -1;
};

/// Waits until `holds`, at most a minute. @returns whether it came to hold
inline bool wait_until(const std::function<bool()>& holds) {
  for (int i = 0; i < 6000; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace gpuseq::bench::testing
