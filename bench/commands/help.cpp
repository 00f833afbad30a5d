#include "bench/commands/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <regex>
#include <sstream>

namespace gpuseq::bench {
namespace {

constexpr std::size_t kWidth = 80, kColumn = 26;

/// Breaks the lines of a text between words, only at spaces: option texts have commas within words. A broken
/// line keeps its indent.
/// @param at  columns of the first line that are used
/// @param indent  of the other lines
std::string wrapped(const std::string& text, std::size_t at = 0, std::size_t indent = 0) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!out.empty()) {
      out += '\n' + std::string(indent, ' ');
      at = indent;
    }
    const std::size_t own = std::min(line.find_first_not_of(' '), line.size());
    out += std::string(own, ' ');
    at += own;
    std::istringstream words(line);
    bool begins = true;
    for (std::string word; words >> word; begins = false) {
      if (!begins && at + 1 + word.size() > kWidth) {
        out += '\n' + std::string(indent + own, ' ');
        at = indent + own;
      } else if (!begins) {
        out += ' ';
        ++at;
      }
      out += word;
      at += word.size();
    }
  }
  return out;
}

std::string entry(const std::string& name, const std::string& text) {
  std::string head = "  " + name;
  if (text.empty()) return head + '\n';
  head +=
      head.size() + 2 > kColumn ? '\n' + std::string(kColumn, ' ') : std::string(kColumn - head.size(), ' ');
  return head + wrapped(text, kColumn, kColumn) + '\n';
}

class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override {
    return wrapped(Formatter::make_description(app)) + '\n';
  }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    return wrapped(Formatter::make_usage(app, std::move(name))) + '\n';
  }
  std::string make_footer(const CLI::App* app) const override {
    const std::string footer = app->get_footer();
    return footer.empty() ? "" : wrapped(footer) + '\n';
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_name(), command->get_description());
  }
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string name =
        is_positional ? option->get_name(true) : fmt::format("{}", fmt::join(names_of(*option), ","));
    if (const std::string value = value_of(*option); !value.empty()) name += ' ' + value;
    if (option->get_expected_max() == CLI::detail::expected_max_vector_size) name += " ...";
    std::string text = option->get_description();
    if (option->get_required()) text += " (required)";
    for (const CLI::Option* needed : option->get_needs()) text += "; needs " + needed->get_name();
    for (const CLI::Option* other : option->get_excludes()) text += "; not with " + other->get_name();
    if (!option->get_envname().empty()) text += "; environment variable " + option->get_envname();
    return entry(name, text);
  }
};

}  // namespace

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> words_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  std::vector<std::string> words;
  if (open == std::string::npos || close == std::string::npos) return words;
  std::istringstream list(type.substr(open + 1, close - open - 1));
  for (std::string word; std::getline(list, word, ',');) words.push_back(word);
  return words;
}

std::string value_of(const CLI::Option& option) {
  if (const std::vector<std::string> words = words_of(option); !words.empty())
    return fmt::format("{}", fmt::join(words, "|"));
  if (option.get_items_expected_max() == 0) return "";
  // CLI11's "INT", "FLOAT:SECONDS", "INT:INT in [1 - 64]"
  std::string type = option.get_type_name();
  type = type.substr(type.find(':') + 1);
  static const std::regex kRange(R"((INT|UINT|FLOAT) in \[(\S+) - (\S+)\])");
  if (std::smatch range; std::regex_match(type, range, kRange))
    return fmt::format("N from {} to {}", range[2].str(), range[3].str());
  return type == "INT" || type == "UINT" || type == "FLOAT" ? "N" : type;
}

std::shared_ptr<CLI::Formatter> help_formatter() {
  return std::make_shared<HelpFormatter>();
}

}  // namespace gpuseq::bench
