#include <fmt/format.h>

#include <algorithm>

#include "reports/comparison/outputs.hpp"
#include "reports/comparison/words.hpp"

namespace gpuseq::comparison {
namespace {

std::string table_line(const StateComparison& state, const std::string& name) {
  if (state.ratio <= 0)
    return fmt::format("{:<12}  {:>8}  {:<20}  {:>7}  {:>8}  {}\n", word(state.verdict), "", "", "", "",
                       name);
  return fmt::format("{:<12}  {:>8}  {:<20}  {:>7}  {:>8.2g}  {}\n", word(state.verdict), change(state.ratio),
                     fmt::format("{} to {}", change(state.low), change(state.high)),
                     percent(state.noise_floor), state.q, name);
}

std::string difference_lines(const Comparison& comparison) {
  if (comparison.differences.empty()) return "";
  std::string lines = "the sides differ in:\n";
  for (const ProvenanceDifference& difference : comparison.differences)
    lines += fmt::format("  {}: {} -> {}\n", difference.field, difference.base, difference.other);
  return lines + "\n";
}

}  // namespace

std::string to_table(const Comparison& comparison, bool all) {
  std::string text = fmt::format("{} -> {}\n\n", comparison.base_name, comparison.new_name);
  text += difference_lines(comparison);
  const results::ShortNames names = names_of(comparison);
  std::string rows;
  for (const StateComparison& state : comparison.states) {
    if (state.verdict == Verdict::same && !all) continue;
    rows += table_line(state, names.of(state.state));
    if (!state.reason.empty()) rows += fmt::format("{:14}{}\n", "", state.reason);
  }
  if (!rows.empty())
    text += fmt::format("{:<12}  {:>8}  {:<20}  {:>7}  {:>8}  {}\n{}\n", "verdict", "time", "interval",
                        "noise", "q", "state", rows);
  for (const std::string& note : {caveat(comparison), certificate_text(comparison)})
    if (!note.empty()) text += note + "\n";
  return text + fmt::format("{}\n{}\n", totals(comparison), headline(comparison));
}

}  // namespace gpuseq::comparison
