#include "bench/tools/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "bench/config/tool_expression.hpp"
#include "bench/tools/answers.hpp"
#include "bench/tools/programs.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/contract/unsupported.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/expression.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kStartups = 3;
constexpr std::size_t kMostFacts = 16;  // answers shown in a record

std::optional<double> positive(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(number) && number > 0 ? std::optional(number) : std::nullopt;
}

ToolProblem& that_is_there(const Tool& tool, ToolProblem& problem) {
  for (const auto& [parameter, allowed] : tool.only) {
    const AxisValue& value = problem.spec().point.at(parameter);
    if (std::ranges::find(allowed, value) != allowed.end()) continue;
    std::vector<std::string> names;
    for (const AxisValue& one : allowed) names.push_back(to_string(one));
    throw Unsupported(fmt::format("{}: found {}={}; allowed: {}", tool.name, parameter, to_string(value),
                                  fmt::join(names, ", ")));
  }
  if (const std::string reason = why_missing(tool); !reason.empty()) throw ResourceError(reason);
  return problem;
}

Point all_axes(const Point& problem, const Point& point) {
  Point all = problem;
  for (const auto& [axis, value] : point.values()) all.set(axis, value);
  return all;
}

void require_programs(const Tool& tool, const ToolInput& input) {
  std::vector<Arguments> commands = tool.prepare;
  commands.push_back(tool.command);
  for (const Arguments& command : commands)
    if (const std::string reason = why_not_there(expanded({command.front()}, input).front(), tool);
        !reason.empty())
      throw ResourceError(reason);
}

/// The command in a form common to all machines: axes have values, files stay placeholders.
std::string command_line(const Tool& tool, const ToolInput& input) {
  Arguments arguments;
  for (const std::string& argument : tool.command)
    arguments.push_back(expand(argument, [&](const std::string& name) {
      return input.axes().has(name) && !input.files().contains(name) ? input.value(name) : "{" + name + "}";
    }));
  return fmt::format("{}", fmt::join(arguments, " "));
}

}  // namespace

ToolSession::ToolSession(const Tool& tool, ToolProblem& problem, const Point& point,
                         const std::string& device_id, double timeout_s, Compare compare)
    : tool_(tool),
      problem_(that_is_there(tool, problem)),
      timeout_s_(timeout_s),
      compare_(compare),
      version_(version_of(tool, problem.folder())),
      input_(problem.files(), all_axes(problem.spec().point, point), problem.folder()) {
  for (const auto& [name, place] : program_places(tool)) input_.set_place(name, place);
  input_.set_place("device", device_id);
  input_.set_place("work", problem.folder());
  input_.set_place("out", problem.folder() / "answers.out");
  require_programs(tool, input_);
  if (!tool.prepare.empty()) {
    prepared_ = prepare_tool(tool, version_, input_, problem.spec().cache_dir, problem.folder(), timeout_s);
    input_.set_place("prepared", prepared_.folder);
  }
  command_ = expanded(tool.command, input_);
  folder_ = tool.folder.empty() ? problem.folder() : fs::path(expanded({tool.folder}, input_).front());
}

Cost ToolSession::cost() const {
  double amount = 1;
  for (const std::string& factor : tool_.work_factors) amount *= input_.count(factor);
  return {.work = {.amount = amount, .unit = tool_.work_unit}};
}

ChildUse ToolSession::run(const Arguments& arguments, const std::string& name, double timeout_s) const {
  return run_child({.arguments = arguments,
                    .out = problem_.folder() / (name + ".stdout"),
                    .err = problem_.folder() / (name + ".stderr"),
                    .folder = folder_,
                    .timeout_s = timeout_s,
                    .most_file_bytes = tool_.most_file_bytes});
}

void ToolSession::launch() {
  use_ = run(command_, "launch", timeout_s_);
  if (tool_.own_seconds.empty()) return;
  const std::string printed = read_file(problem_.folder() / "launch.stdout").substr(0, kMostPrinted);
  const auto found = Expression(tool_.own_seconds, "own_seconds: ").first_group(printed);
  const auto seconds = found ? positive(*found) : std::nullopt;
  if (!seconds)
    throw std::runtime_error(
        fmt::format("found no time of its own in the output of {}; allowed: a number > 0", program_name()));
  own_s_.push_back(*seconds * tool_.own_unit_s);
}

fs::path ToolSession::answers_file() const {
  if (tool_.answers_from == "stdout") return problem_.folder() / "launch.stdout";
  return expand(tool_.answers_from, [&](const std::string& name) { return input_.value(name); });
}

/// Answers to a similar question count as checked only if all of them equal the family's answers.
Verification ToolSession::checked(const Answers& answers) {
  if (!tool_.may_differ) return problem_.check(answers);
  const Maybe<Agreement> told = compare_(problem_.inner(), answers);
  if (!told.value) return {.passed = true, .checked = 0, .reason = told.reason};
  agreement_ = told.value;
  if (agreement_->equal == agreement_->compared)
    return {.passed = true, .checked = agreement_->compared, .reason = ""};
  return {
      .passed = true,
      .checked = 0,
      .reason = fmt::format("its question is a like one, and {} of {} answers agree; first difference: {}",
                            agreement_->equal, agreement_->compared, agreement_->first_difference)};
}

Verification ToolSession::verify() {
  std::error_code error;
  // Removes the answers of another tool.
  fs::remove_all(answers_file(), error);
  launch();
  own_s_.clear();  // the first launch has cold caches
  Verification result{.passed = true, .checked = 0, .reason = "its output is not described"};
  if (tool_.answers) try {
      const Answers answers = read_answers(answers_file(), *tool_.answers);
      if (answers.size() <= kMostFacts) few_answers_ = answers;
      result = checked(answers);
    } catch (const UsageError& malformed) {
      result = {.passed = false,
                .checked = 0,
                .reason = fmt::format("its answers cannot be read: {}", malformed.what())};
    }
  unchecked_ = result.passed && result.checked == 0 ? result.reason : "";
  return result;
}

std::map<std::string, std::vector<double>> ToolSession::side_samples_s() {
  std::map<std::string, std::vector<double>> samples;
  if (!tool_.startup.empty() && startup_s_.empty()) {
    const Arguments arguments = expanded(tool_.startup, input_);
    for (int i = 0; i < kStartups; ++i)
      startup_s_.push_back(run(arguments, "startup", timeout_s_ / kStartups).elapsed_s);
  }
  if (!startup_s_.empty()) samples["startup"] = startup_s_;
  if (!own_s_.empty()) samples["own"] = own_s_;
  if (!prepared_.seconds.empty()) samples["prepare"] = prepared_.seconds;
  return samples;
}

/// The name in the tool's description, without the path on this machine.
std::string ToolSession::program_name() const {
  const std::string& given = tool_.command.front();
  return given.starts_with('{') ? fs::path(command_.front()).filename().string() : given;
}

nlohmann::json ToolSession::facts() const {
  nlohmann::json facts{{"whole_process", true},
                       {"program", program_name()},
                       {"program_version", version_},
                       {"command_line", command_line(tool_, input_)},
                       {"cpu_s", use_.cpu_s}};
  if (use_.peak_memory_bytes != 0)
    facts["peak_memory_bytes"] = use_.peak_memory_bytes;
  else
    facts["peak_memory_bytes_reason"] = "less than the worker's own, which hides it";
  if (agreement_) {
    facts["answers_compared"] = agreement_->compared;
    facts["answers_equal"] = agreement_->equal;
  }
  if (!few_answers_.empty()) facts["answers"] = few_answers_;
  if (!tool_.package.empty()) facts["package"] = tool_.package;
  if (!startup_s_.empty()) facts["startup_s"] = results::median(startup_s_);
  if (!own_s_.empty()) facts["own_s"] = results::median(own_s_);
  if (!prepared_.seconds.empty()) {
    facts["prepare_s"] = std::accumulate(prepared_.seconds.begin(), prepared_.seconds.end(), 0.0);
    facts["prepare_from_cache"] = prepared_.from_cache;
  }
  return facts;
}

std::vector<std::string> ToolSession::notes() const {
  std::vector<std::string> notes{"a whole process: start-up, reading and writing are in its time"};
  if (!tool_.own_seconds.empty()) notes.emplace_back("own_s is the time by its own clock, of the work alone");
  if (!unchecked_.empty()) notes.push_back("its answers are not checked: " + unchecked_);
  return notes;
}

}  // namespace gpuseq::bench
