#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/comparison/outputs.hpp"
#include "reports/comparison/words.hpp"
#include "reports/units.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq::comparison {
namespace {

constexpr std::size_t kMostRows = 60;         // of one table
constexpr std::size_t kMostCharacters = 240;  // of one cell

/// One line that Markdown and the HTML in it leave as it is, also within a table.
std::string plain(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text.substr(0, kMostCharacters))) {
    if (std::string_view("<>&@#|\\`*_[]~$").find(c) != std::string_view::npos)
      escaped.append(fmt::format("&#{};", static_cast<int>(c)));  // @ and # would name people and issues
    else
      escaped.push_back(c);
  }
  return text.size() > kMostCharacters ? escaped + "..." : escaped;
}

/// A name as code, which Markdown leaves alone but for the bars of a table.
std::string code(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) {
    if (c == '|') escaped.push_back('\\');
    escaped.push_back(c == '`' ? ' ' : c);
  }
  return fmt::format("`{}`", escaped);
}

std::string rates(const StateComparison& state) {
  if (state.base_rate <= 0) return "";
  return fmt::format("{} to {} {}", reports::format_value(state.base_rate, reports::Unit::number_si),
                     reports::format_value(state.new_rate, reports::Unit::number_si), state.rate_unit);
}

std::string row(const StateComparison& state, const std::string& name) {
  const bool numbers = state.ratio > 0;
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", word(state.verdict), code(name),
                     numbers ? change(state.ratio) : "",
                     numbers ? fmt::format("{} to {}", change(state.low), change(state.high)) : "",
                     numbers ? percent(state.noise_floor) : "", plain(rates(state)), plain(state.reason));
}

std::string table(const std::vector<const StateComparison*>& states, const results::ShortNames& names) {
  std::string text =
      "| verdict | state | time | interval | noise floor | rate | remark |\n|---|---|--:|---|--:|---|---|\n";
  for (std::size_t i = 0; i < std::min(states.size(), kMostRows); ++i)
    text += row(*states[i], names.of(states[i]->state));
  if (states.size() > kMostRows) text += fmt::format("\n... and {} more.\n", states.size() - kMostRows);
  return text;
}

std::string folded(const std::string& title, const std::string& text) {
  return fmt::format("\n<details><summary>{}</summary>\n\n{}\n</details>\n", title, text);
}

std::string differences(const Comparison& comparison) {
  std::string text = "| field | base | new |\n|---|---|---|\n";
  const std::size_t shown = std::min(comparison.differences.size(), kMostRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const ProvenanceDifference& difference = comparison.differences[i];
    text += fmt::format("| {} | {} | {} |\n", code(difference.field), plain(difference.base),
                        plain(difference.other));
  }
  if (shown < comparison.differences.size())
    text += fmt::format("\n... and {} more.\n", comparison.differences.size() - shown);
  return text;
}

}  // namespace

std::string to_markdown(const Comparison& comparison) {
  const results::ShortNames names = names_of(comparison);
  std::vector<const StateComparison*> shown, unchanged;
  for (const StateComparison& state : comparison.states)
    (state.verdict == Verdict::same ? unchanged : shown).push_back(&state);
  std::string text = fmt::format("**{}**\n\n{} against {}: {}.\n", headline(comparison),
                                 code(comparison.new_name), code(comparison.base_name), totals(comparison));
  for (const std::string& note : {caveat(comparison), certificate_text(comparison)})
    if (!note.empty()) text += fmt::format("\n{}\n", note);
  if (!shown.empty()) text += fmt::format("\n{}", table(shown, names));
  if (!unchanged.empty())
    text += folded(
        fmt::format("{} the same",
                    unchanged.size() == 1 ? "1 state is" : fmt::format("{} states are", unchanged.size())),
        table(unchanged, names));
  if (!comparison.differences.empty())
    text += folded("What differs between the sides", differences(comparison));
  return without_commands(text);
}

}  // namespace gpuseq::comparison
