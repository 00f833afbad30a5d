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

/// A program to run without a shell.
struct ChildCommand {
  std::vector<std::string> arguments = {};   // the first is the program, found like find_program() does
  std::filesystem::path out = {}, err = {};  // files replaced by its output and errors; empty: discarded
  std::filesystem::path folder = {};         // working folder; empty: the current one
  double timeout_s = 0;                      // then it is killed with its descendants; 0: no limit
  std::uint64_t most_file_bytes = 0;         // most bytes of a file that it writes; 0: no limit
  std::vector<int> kept = {};                // inherited descriptors, with the same numbers
  /// Called several times per second; a reason that is not empty ends the program like `timeout_s`.
  std::function<std::string()> why_end = {};
};

/// Resources used by a program that succeeded.
struct ChildUse {
  double elapsed_s = 0;
  double cpu_s = 0;  // user and system, including the children that it waited for
  /// Peak memory of its largest process; 0 if not larger than this process: up to exec a new process shares
  /// its parent's memory, which Linux counts.
  std::uint64_t peak_memory_bytes = 0;
};

/// A failed program. `kind` is the kind of a record's failure.
struct ChildFailed : std::runtime_error {
  ChildFailed(std::string failure_kind, const std::string& reason, std::optional<int> code = {})
      : std::runtime_error(reason), kind(std::move(failure_kind)), exit_code(code) {}
  std::string kind;  // "error": an exit code other than 0; "crash": a signal; "timeout"
  std::optional<int> exit_code;
};

/// Runs a program in its own process group with empty input, and waits for it. SIGINT and SIGTERM to this
/// process first kill the group and then take effect. The program ends with the thread that started it, and
/// its group with this process (group_guard.hpp).
/// @throws ChildFailed with the last lines of `err`; ResourceError if it cannot be started
ChildUse run_child(const ChildCommand& command);

/// The executable file of a name, searched in PATH unless the name has a slash; nullopt: there is none.
std::optional<std::filesystem::path> find_program(std::string_view name);

/// The last lines of a text as one line for a message, without characters other than printable ASCII.
std::string last_lines(std::string_view text);

}  // namespace gpuseq
