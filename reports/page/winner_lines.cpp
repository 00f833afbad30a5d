#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "reports/page/winners.hpp"
#include "results/record.hpp"

namespace gpuseq::reports {
namespace {

using nlohmann::json;

constexpr std::string_view kProgram = "./gpuseq-bench";

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string capitals(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// " --min-length 20 --both-strands": the options of exec that are axes of the winner's problem.
std::string problem_options(const json& problem, const ExecUse& use) {
  std::string options;
  for (const ExecUse::Option& option : use.options) {
    if (!problem.is_object() || !problem.contains(option.axis)) continue;
    const std::string value = value_text(problem[option.axis]);
    if (option.is_flag && value != "yes") continue;
    std::string name = option.axis;
    std::ranges::replace(name, '_', '-');
    options += " --" + name;
    if (!option.is_flag) options += " " + shell_word(value);
  }
  return options;
}

/// An override that says where the run wrote to, or what it ran on: the line says the one itself, and must
/// not write over what is there.
bool stays_behind(const std::string& given) {
  return given.starts_with("output=") || given.starts_with("devices=");
}

/// "k=2,d=64" in the order of the record where there is one.
std::string point_of(const Winner& winner) {
  if (winner.entry != nullptr) return winner.entry->record.state.point.to_string();
  const json& tuned = *winner.reached.winner;
  std::vector<std::string> axes;
  if (tuned.contains("point") && tuned["point"].is_object())
    for (const auto& [axis, value] : tuned["point"].items())
      axes.push_back(fmt::format("{}={}", axis, value_text(value)));
  return fmt::format("{}", fmt::join(axes, ","));
}

}  // namespace

std::string shell_word(const std::string& text) {
  const auto is_plain = [](char c) {
    return is_word_letter(c) || std::string_view("_-+=,./:@%").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string literal_expression(const std::string& text) {
  std::string expression;
  for (const char c : text) {
    // Bytes of UTF-8 beyond ASCII are letters; RE2 takes a backslash before punctuation only.
    const bool is_letter = is_word_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
    if (!is_letter && std::string_view("/:=,-").find(c) == std::string_view::npos) expression += '\\';
    expression += c;
  }
  return expression;
}

std::string exec_line(const Winner& winner, const ExecUses& uses) {
  const json& tuned = *winner.reached.winner;
  const std::string family = text(tuned, "family"), variant = text(tuned, "variant");
  const auto use = uses.find(family);
  if (use == uses.end() || std::ranges::find(use->second.variants, variant) == use->second.variants.end())
    return "";
  std::string line = fmt::format("{} exec {} --variant {}", kProgram, family, variant);
  if (const std::string point = point_of(winner); !point.empty()) line += " --point " + shell_word(point);
  if (tuned.contains("problem")) line += problem_options(tuned["problem"], use->second);
  for (const std::string& role : use->second.roles)
    line += fmt::format(" --data {}={}", role, capitals(role));
  return line + fmt::format(" --device {} --out ANSWERS", shell_word(text(tuned, "device")));
}

std::string measure_line(const Winner& winner, const ReportData& data) {
  const json& summary = data.runs[winner.run].summary;
  const std::string config = text(summary, "config_source");
  if (winner.entry == nullptr || config.empty()) return "";
  const auto words_of = [&](const char* key, std::vector<std::string> otherwise) {
    const json::json_pointer place = json::json_pointer("/invocation") / std::string(key);
    if (!summary.contains(place)) return otherwise;
    std::vector<std::string> words;
    for (const json& given : summary[place])
      if (given.is_string()) words.push_back(given.get<std::string>());
    return words;
  };
  std::string line(kProgram);
  for (const std::string& word : words_of("command", {"run"})) line += " " + shell_word(word);
  line += " --config " + shell_word(config);
  for (const std::string& given : words_of("data", {})) line += " --data " + shell_word(given);
  for (const std::string& given : words_of("overrides", {}))
    if (!stays_behind(given)) line += " --set " + shell_word(given);
  const results::StateKey& state = winner.entry->record.state;
  const std::string only = "^" + literal_expression(state.to_string() + "/iterations");
  return line +
         fmt::format(" --device {} {}", shell_word(state.device), shell_word("--benchmark_filter=" + only));
}

}  // namespace gpuseq::reports
