#include "bench/tools/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "bench/config/tool_expression.hpp"
#include "bench/tools/input.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/expression.hpp"
#include "runtime/system/child_process.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

/// How to install the program of a tool.
std::string advice(const Tool& tool) {
  const std::string install = tool.package.empty() ? "" : "apt-get install " + tool.package;
  if (tool.built_by.empty()) return install.empty() ? "" : "; it comes with: " + install;
  return "; it is built by: " + tool.built_by + (install.empty() ? "" : ", after: " + install);
}

/// The program of a command, behind `env` and its assignments.
const std::string& program_of(const Arguments& command) {
  if (command.front() != "env") return command.front();
  const auto program = std::find_if(command.begin() + 1, command.end(), [](const std::string& argument) {
    return argument.find('=') == std::string::npos;
  });
  return program == command.end() ? command.front() : *program;
}

}  // namespace

std::map<std::string, fs::path> program_places(const Tool& tool) {
  std::map<std::string, fs::path> places;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (!error) places["program"] = self;
  const char* checkout = tool.checkout.empty() ? nullptr : std::getenv(tool.checkout.c_str());
  if (checkout != nullptr && *checkout != '\0') places["checkout"] = fs::absolute(checkout);
  return places;
}

Arguments with_programs(const Arguments& command, const Tool& tool) {
  const auto places = program_places(tool);
  Arguments arguments;
  for (const std::string& argument : command)
    arguments.push_back(expand(argument, [&](const std::string& name) {
      const auto place = places.find(name);
      return place == places.end() ? "{" + name + "}" : place->second.string();
    }));
  return arguments;
}

std::string why_not_there(const std::string& program, const Tool& tool) {
  return find_program(program) ? "" : fmt::format("the program {} is not there{}", program, advice(tool));
}

std::string why_missing(const Tool& tool) {
  if (!tool.checkout.empty() && !program_places(tool).contains("checkout"))
    return fmt::format("{} does not name the folder of a checkout in which it is built", tool.checkout);
  std::vector<Arguments> commands = tool.prepare;
  commands.push_back(tool.command);
  for (const Arguments& command : commands) {
    const std::string program = with_programs({program_of(command)}, tool).front();
    if (!placeholders(program).empty()) continue;  // depends on axes
    if (std::string reason = why_not_there(program, tool); !reason.empty()) return reason;
  }
  return "";
}

std::string version_of(const Tool& tool, const fs::path& scratch) {
  constexpr double kTimeoutS = 20;
  if (tool.version.empty()) return "unknown";
  std::string text;
  try {
    const fs::path out = scratch / "version.out", err = scratch / "version.err";
    run_child(
        {.arguments = with_programs(tool.version, tool), .out = out, .err = err, .timeout_s = kTimeoutS});
    text = read_file(out).substr(0, kMostPrinted) + "\n" + read_file(err).substr(0, kMostPrinted);
  } catch (const std::exception&) {  // the command itself will report the error
    return "unknown";
  }
  const auto version = Expression(tool.version_pattern, "version: ").first_group(text);
  return version ? last_lines(*version) : "unknown";
}

}  // namespace gpuseq::bench
