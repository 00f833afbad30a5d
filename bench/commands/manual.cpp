#include "bench/commands/manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <vector>

#include "bench/commands/help.hpp"

namespace gpuseq::bench {
namespace {

/// Text as man's macros take it: nothing in it is a request or an escape.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

/// Commands in their order, without those that are the program's own.
std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}

std::string paragraph_of(const CLI::Option& option) {
  std::vector<std::string> shown;
  for (const std::string& name : names_of(option)) shown.push_back("\\fB" + roff(name) + "\\fR");
  if (shown.empty()) shown.push_back("\\fI" + roff(option.get_name(true)) + "\\fR");
  const std::string value = option.get_positional() && words_of(option).empty() ? "" : value_of(option);
  return fmt::format(".TP\n{}{}\n{}\n", fmt::join(shown, ", "),
                     value.empty() ? "" : " \\fI" + roff(value) + "\\fR", roff(option.get_description()));
}

/// @param said  a footer that needs no repeating
void add_command(std::string& page, const CLI::App& command, const std::string& path,
                 const std::string& said) {
  page += fmt::format(".SS \"{}\"\n{}\n", roff(path), roff(command.get_description()));
  for (const CLI::Option* option : options_of(command))
    if (option != command.get_help_ptr()) page += paragraph_of(*option);
  if (const std::string footer = command.get_footer(); !footer.empty() && footer != said)
    page += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(footer));
  for (const CLI::App* inner : commands_of(command))
    add_command(page, *inner, path + " " + inner->get_name(), said);
}

/// Every command by its path ("exec papara"; the program itself: ""), outer ones first.
void each_command(const CLI::App& app, const std::string& path,
                  const std::function<void(const std::string&, const CLI::App&)>& visit) {
  visit(path, app);
  for (const CLI::App* command : commands_of(app))
    each_command(*command, path.empty() ? command->get_name() : path + " " + command->get_name(), visit);
}

}  // namespace

std::string manual_page(const CLI::App& app, const std::string& version) {
  const std::string& name = app.get_name();
  std::string page = fmt::format(
      ".TH \"{0}\" 1 \"\" \"{0} {1}\" \"User Commands\"\n"
      ".SH NAME\n{2} \\- fast sequence analysis on this hardware, measured against its bounds\n"
      ".SH SYNOPSIS\n.B {2}\n[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR]\n"
      ".SH DESCRIPTION\n{3}\n.PP\n.nf\n{4}\n.fi\n.SH COMMANDS\n",
      name, roff(version), roff(name), roff(app.get_description()), roff(app.get_footer()));
  for (const CLI::App* command : commands_of(app))
    add_command(page, *command, command->get_name(), app.get_footer());
  page +=
      ".SH ENVIRONMENT\n"
      ".TP\n\\fBGPUSEQ_ROOT\\fR\nThe folder that has configs/; default: where the program was installed or "
      "built.\n"
      ".TP\n\\fBGPUSEQ_PYTHON\\fR\nThe Python interpreter that has the plot renderer "
      "(vl\\-convert\\-python).\n"
      ".TP\n\\fBXDG_CACHE_HOME\\fR\nThe folder of the cache of indexes and compiled kernels; default "
      "~/.cache.\n";
  return page;
}

std::string completion_script(const CLI::App& app) {
  std::string steps, words, values;
  each_command(app, "", [&](const std::string& path, const CLI::App& command) {
    std::vector<std::string> offered;
    for (const CLI::App* inner : commands_of(command)) {
      offered.push_back(inner->get_name());
      steps += fmt::format("      \"{}/{}\") path=\"{}\" ;;\n", path, inner->get_name(),
                           path.empty() ? inner->get_name() : path + " " + inner->get_name());
    }
    for (const CLI::Option* option : options_of(command)) {
      const std::vector<std::string> allowed = words_of(*option);
      for (const std::string& name : names_of(*option)) {
        offered.push_back(name);
        if (!allowed.empty())
          values += fmt::format("    \"{}/{}\") words=\"{}\" ;;\n", path, name, fmt::join(allowed, " "));
        else if (!value_of(*option).empty())
          values += fmt::format("    \"{}/{}\") words= ;;\n", path, name);
      }
      if (option->get_positional()) offered.insert(offered.end(), allowed.begin(), allowed.end());
    }
    words += fmt::format("    \"{}\") words=\"{}\" ;;\n", path, fmt::join(offered, " "));
  });
  std::string function = "_" + app.get_name();
  std::ranges::replace(function, '-', '_');
  return fmt::format(
      "# Completion of {0} for bash; for zsh after `autoload -U +X bashcompinit && bashcompinit`.\n"
      "{1}() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} path= words= i\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    case \"$path/${{COMP_WORDS[i]}}\" in\n{2}    esac\n"
      "  done\n"
      "  case \"$path\" in\n{3}  esac\n"
      "  case \"$path/$before\" in\n{4}  esac\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
      "}}\n"
      "complete -o default -F {1} {0}\n",
      app.get_name(), function, steps, words, values);
}

}  // namespace gpuseq::bench
