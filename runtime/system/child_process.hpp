#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gpuseq {

/// Another program, to be run to its end without a shell.
struct ChildCommand {
  std::vector<std::string> arguments = {};   // the first is the program, looked for as find_program() does
  std::filesystem::path out = {}, err = {};  // files that its output and errors replace; empty: thrown away
  std::filesystem::path folder = {};         // where it runs; empty: the current one
  double timeout_s = 0;                      // then it is killed with all that it started; 0: never
  std::uint64_t most_file_bytes = 0;         // it may not write a longer file; 0: no limit
  std::vector<int> kept = {};                // descriptors that it has, too, under the same numbers
  /// Asked some times per second; a reason that is not empty ends it as `timeout_s` does.
  std::function<std::string()> why_end = {};
};

/// What a program that ended well has used.
struct ChildUse {
  double elapsed_s = 0;
  double cpu_s = 0;  // user and system, with the children that it waited for
  /// Of its largest process; 0 where it is no more than this process had: up to exec a new process shares the
  /// memory of the one that started it, and Linux counts that.
  std::uint64_t peak_memory_bytes = 0;
};

/// A program ended badly. `kind` is the kind of a record's failure.
struct ChildFailed : std::runtime_error {
  ChildFailed(std::string failure_kind, const std::string& reason, std::optional<int> code = {})
      : std::runtime_error(reason), kind(std::move(failure_kind)), exit_code(code) {}
  std::string kind;  // "error": an exit code other than 0; "crash": a signal; "timeout"
  std::optional<int> exit_code;
};

/// Runs a program in a process group of its own, its input empty, and waits for it. SIGINT and SIGTERM to
/// this process kill the group first and then take their course. The program dies with the thread that
/// started it, and its group with this process (group_guard.hpp).
/// @throws ChildFailed with the last lines of `err`; ResourceError if it cannot be started
ChildUse run_child(const ChildCommand& command);

/// The executable file of a name, looked for in PATH unless it has a slash; nullopt: there is none.
std::optional<std::filesystem::path> find_program(std::string_view name);

/// The end of a text as one line for a message: its last lines, what is not printable ASCII replaced.
std::string last_lines(std::string_view text);

}  // namespace gpuseq
