#include <fmt/format.h>

#include "reports/comparison/outputs.hpp"
#include "reports/comparison/words.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq::comparison {
namespace {

/// As actions/toolkit does in command.ts: the runner takes these back.
std::string escape(std::string_view text, bool property) {
  std::string escaped;
  for (const char c : printable(text)) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    if (special)
      escaped += fmt::format("%{:02X}", static_cast<int>(c));
    else
      escaped += c;
  }
  return escaped;
}

std::string annotation(std::string_view command, const StateComparison& state, const std::string& name) {
  return fmt::format(
      "::{} title={}::{}: {}\n", command,
      escape(fmt::format("{}: {}/{}", word(state.verdict), state.state.family, state.state.variant), true),
      escape(name, false), escape(summary(state), false));
}

}  // namespace

std::string to_annotations(const Comparison& comparison) {
  const results::ShortNames names = names_of(comparison);
  std::string lines;
  for (const StateComparison& state : comparison.states) {
    const bool missing = state.verdict == Verdict::missing;
    const bool error = state.verdict == Verdict::regressed || state.verdict == Verdict::failed ||
                       (missing && !comparison.options.allow_missing);
    if (error)
      lines += annotation("error", state, names.of(state.state));
    else if (state.verdict == Verdict::inconclusive || missing)
      lines += annotation("warning", state, names.of(state.state));
  }
  return lines;
}

}  // namespace gpuseq::comparison
