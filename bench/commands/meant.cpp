#include "bench/commands/meant.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "runtime/contract/nearest_word.hpp"

namespace gpuseq::bench {
namespace {

std::string asked(std::string_view nearest) {
  return nearest.empty() ? "" : fmt::format("did you mean {}?", nearest);
}

std::string command_meant(const CLI::App& app, std::string_view word) {
  std::vector<std::string> names;
  for (const CLI::App* command :
       app.get_subcommands([](const CLI::App* c) { return !c->get_group().empty(); }))
    names.push_back(command->get_name());
  const std::string meant = asked(nearest_word(word, {names.begin(), names.end()}));
  return fmt::format("{} is no command{}", word, meant.empty() ? "" : "; " + meant);
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

}  // namespace

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  const auto found =
      app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

std::string what_was_meant(const CLI::App& app, const std::vector<std::string>& arguments,
                           const Registry& registry) {
  const CLI::App* command = &app;
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (!argument.starts_with('-')) {
      const CLI::App* inner = find_command(*command, argument);
      if (inner != nullptr)
        command = inner;
      else if (command->get_name() == "help")
        return command_meant(app, argument);
      else if (!command->get_subcommands([](const CLI::App*) { return true; }).empty()) {
        const bool of_program = command == &app;
        const std::string why = of_program ? "" : registry.why_not_built(argument);
        return why.empty() ? command_meant(*command, argument) : why;
      }
      continue;
    }
    const std::string name = argument.substr(0, argument.find('='));
    const std::vector<std::string> names = option_names(*command);
    const bool is_long = name.starts_with("--");  // short ones may be joined, or be before their value
    if (is_long && std::ranges::find(names, name) == names.end())
      if (std::string meant = asked(nearest_word(name, {names.begin(), names.end()})); !meant.empty())
        return meant;
  }
  return "";
}

}  // namespace gpuseq::bench
