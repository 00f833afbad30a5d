#include "bench/commands/comparison_outputs.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "bench/options/color_option.hpp"
#include "reports/comparison/history.hpp"
#include "reports/comparison/outputs.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

const std::filesystem::path kStandardOutput = "-";

void allow(comparison::Allowed& allowed, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    (name == "device" ? allowed.device : name == "driver" ? allowed.driver : allowed.problem) = true;
}

/// The names in a file of what was deleted on purpose, a line each. @throws UsageError with file and line
std::vector<std::string> deleted_states(const std::filesystem::path& path) {
  std::istringstream file(read_file(path));
  std::vector<std::string> names;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    line = line.substr(0, line.find('#'));
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
    if (line.empty()) continue;
    if (line.find('/') == std::string::npos || line.find_first_of(" \t") != std::string::npos)
      throw UsageError(
          fmt::format("{}:{}: found \"{}\", allowed: family/variant or the whole name of a state",
                      path.string(), number, line));
    names.push_back(line);
  }
  return names;
}

/// The table with its verdicts in colour.
std::string inked(const Terminal& terminal, const std::string& table) {
  static const std::map<std::string_view, Ink> kInks{{"regressed", Ink::red},
                                                     {"failed", Ink::red},
                                                     {"missing", Ink::red},
                                                     {"inconclusive", Ink::yellow},
                                                     {"improved", Ink::green}};
  if (!terminal.has_colour()) return table;
  std::string text, line;
  for (std::istringstream lines(table); std::getline(lines, line);) {
    const auto ink = kInks.find(std::string_view(line).substr(0, line.find(' ')));
    if (ink != kInks.end()) line = terminal.paint(ink->second, ink->first) + line.substr(ink->first.size());
    text += line + "\n";
  }
  return text;
}

/// Prints lines that are commands for GitHub Actions, which say() would take their meaning from.
void say_commands(const std::string& lines) {
  std::fwrite(lines.data(), 1, lines.size(), stdout);
}

/// What nobody asked for is not made: of 100 000 states it takes seconds.
void write(const std::filesystem::path& path, const comparison::Comparison& comparison,
           std::string (*text_of)(const comparison::Comparison&)) {
  if (path.empty()) return;
  if (path == kStandardOutput)
    say("{}", Lines{text_of(comparison)});
  else
    write_file_atomically(path, text_of(comparison), Durability::survives_crash_of_program);
}

}  // namespace

CLI::Validator share_validator() {
  return CLI::Validator(
      [](std::string& text) {
        double value = 0;
        const bool number = CLI::detail::lexical_cast(text, value);
        return number && value > 0 && value < 1 ? std::string()
                                                : text + " is not between 0 and 1 (both excluded)";
      },
      "SHARE");
}

void add_output_options(CLI::App& command, ComparisonOutputs& outputs) {
  const auto file = [&](const char* name, std::filesystem::path& path, const char* meaning) {
    command.add_option(name, path, meaning)->type_name("FILE");
  };
  file("--markdown", outputs.markdown, "Write Markdown for a pull request; - is standard output");
  file("--junit", outputs.junit, "Write JUnit XML; - is standard output");
  file("--json", outputs.json, "Write JSON; - is standard output");
  file("--history", outputs.history, "Append the new side to a history, a JSON line per state");
  command.add_flag("--annotations", outputs.annotations,
                   "Print annotations of GitHub Actions (::error, ::warning)");
  command.add_flag("--all", outputs.all_states, "Show states that are the same in the table as well");
  add_color_option(command, outputs.colour);
}

void add_compare_options(CLI::App& command, comparison::CompareOptions& options) {
  command
      .add_option("--min-effect", options.min_effect,
                  "A slowdown within it is no regression; between 0 and 1")
      ->check(share_validator())
      ->capture_default_str();
  command
      .add_option("--confidence", options.confidence, "Of the intervals and the noise floor; between 0 and 1")
      ->check(share_validator())
      ->capture_default_str();
  command
      .add_option("--fdr", options.false_discovery_rate,
                  "False discovery rate over all states; between 0 and 1")
      ->check(share_validator())
      ->capture_default_str();
  command
      .add_option_function<std::vector<std::string>>(
          "--allow", [&options](const auto& names) { allow(options.allowed, names); },
          "What may differ between the sides: device, driver, problem")
      ->delimiter(',')
      ->check(CLI::IsMember({"device", "driver", "problem"}));
  command.add_flag("--allow-missing", options.allow_missing, "Missing states are listed, but are no failure");
  command
      .add_option_function<std::filesystem::path>(
          "--deleted",
          [&options](const std::filesystem::path& path) { options.deleted = deleted_states(path); },
          "File that names what was deleted on purpose: a state or variant a line, # before remarks")
      ->type_name("FILE");
}

void write_outputs(const ComparisonOutputs& outputs, const comparison::Comparison& comparison,
                   const comparison::Side& next) {
  int on_standard_output = 0;
  for (const auto* path : {&outputs.markdown, &outputs.junit, &outputs.json})
    on_standard_output += *path == kStandardOutput;
  if (on_standard_output > 1)
    throw UsageError("standard output (-) takes one of --markdown, --junit and --json at a time");
  write(outputs.markdown, comparison, comparison::to_markdown);
  write(outputs.junit, comparison, comparison::to_junit);
  write(outputs.json, comparison, comparison::to_json);
  if (!outputs.history.empty()) comparison::append_history(outputs.history, next, &comparison);
  if (on_standard_output == 0)
    say("{}", Lines{inked({stdout, outputs.colour}, comparison::to_table(comparison, outputs.all_states))});
  if (outputs.annotations) say_commands(comparison::to_annotations(comparison));
}

ExitCode exit_code_of(const comparison::Comparison& comparison) {
  return static_cast<ExitCode>(comparison::exit_code(comparison));
}

}  // namespace gpuseq::bench
