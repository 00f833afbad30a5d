#include <fmt/format.h>

#include "reports/comparison/outputs.hpp"
#include "reports/comparison/words.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq::comparison {
namespace {

/// For content and attributes alike. XML 1.0 cannot hold control characters: they are printable() first.
std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text, Keep::lines)) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\n':
        escaped += "&#10;";
        break;
      case '\t':
        escaped += "&#9;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

/// What became of a state, and its key.
std::string outcome(const StateComparison& state, bool allow_missing) {
  const std::string message = escape(summary(state));
  const bool missing = state.verdict == Verdict::missing;
  const std::string key = escape("state: " + state.state.to_string());
  if (state.verdict == Verdict::regressed || state.verdict == Verdict::failed || (missing && !allow_missing))
    return fmt::format("<failure type=\"{}\" message=\"{}\"/><system-out>{}</system-out>",
                       word(state.verdict), message, key);
  if (state.verdict == Verdict::inconclusive || missing)
    return fmt::format("<skipped message=\"{}: {}\"/><system-out>{}</system-out>", word(state.verdict),
                       message, key);
  return fmt::format("<system-out>{}: {}&#10;{}</system-out>", word(state.verdict), message, key);
}

std::string properties(const Comparison& comparison) {
  std::string lines;
  for (const ProvenanceDifference& difference : comparison.differences)
    lines += fmt::format("      <property name=\"differs: {}\" value=\"{} -&gt; {}\"/>\n",
                         escape(difference.field), escape(difference.base), escape(difference.other));
  if (const std::string text = certificate_text(comparison); !text.empty())
    lines += fmt::format("      <property name=\"certificate\" value=\"{}\"/>\n", escape(text));
  return lines.empty() ? "" : fmt::format("    <properties>\n{}    </properties>\n", lines);
}

}  // namespace

std::string to_junit(const Comparison& comparison) {
  const std::size_t missing = comparison.count(Verdict::missing);
  const std::size_t allowed = comparison.options.allow_missing ? missing : 0;
  const std::size_t failures =
      comparison.count(Verdict::regressed) + comparison.count(Verdict::failed) + missing - allowed;
  const std::size_t skipped = comparison.count(Verdict::inconclusive) + allowed;
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\"",
                                         comparison.states.size(), failures, skipped);
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n  <testsuite name=\"{} against {}\" "
      "{}>\n",
      counts, escape(comparison.new_name), escape(comparison.base_name), counts);
  text += properties(comparison);
  const results::ShortNames names = names_of(comparison);
  for (const StateComparison& state : comparison.states)
    text += fmt::format("    <testcase classname=\"{}.{}\" name=\"{}\">{}</testcase>\n",
                        escape(state.state.family), escape(state.state.variant),
                        escape(names.of(state.state)), outcome(state, comparison.options.allow_missing));
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace gpuseq::comparison
