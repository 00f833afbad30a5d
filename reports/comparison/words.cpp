#include "reports/comparison/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "reports/units.hpp"

namespace gpuseq::comparison {
namespace {

constexpr std::array kAll{Verdict::failed,  Verdict::missing, Verdict::regressed, Verdict::inconclusive,
                          Verdict::deleted, Verdict::added,   Verdict::same,      Verdict::improved};

std::string states(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "state" : "states");
}

const StateComparison* worst_of(const Comparison& comparison, Verdict verdict) {
  const auto found = std::find_if(comparison.states.begin(), comparison.states.end(),
                                  [&](const StateComparison& state) { return state.verdict == verdict; });
  return found == comparison.states.end() ? nullptr : &*found;
}

}  // namespace

results::ShortNames names_of(const Comparison& comparison) {
  std::vector<results::LabelledState> states;
  for (const StateComparison& state : comparison.states)
    states.push_back({&state.state, state.problem_label});
  return results::ShortNames(states, comparison.defaults);
}

std::string percent(double share) {
  if (!std::isfinite(share)) return "unknown";
  const double value = share * 100;
  return std::abs(value) >= 10 ? fmt::format("{:.0f} %", value) : fmt::format("{:.2g} %", value);
}

std::string change(double ratio) {
  if (!std::isfinite(ratio) || ratio <= 0) return "-";
  const double value = (ratio - 1) * 100;
  return fmt::format("{:+.{}f} %", value, std::abs(value) >= 10 ? 0 : 1);
}

std::string units(std::string_view unit, std::size_t count) {
  return fmt::format("{}{}", unit, count == 1 ? "" : unit.ends_with('s') ? "es" : "s");
}

std::string_view word(Verdict verdict) {
  return verdict == Verdict::added ? "new" : to_string(verdict);
}

std::string totals(const Comparison& comparison) {
  std::vector<std::string> parts;
  for (const Verdict verdict : kAll)
    if (const std::size_t count = comparison.count(verdict); count > 0)
      parts.push_back(fmt::format("{} {}", count, word(verdict)));
  if (comparison.skipped_on_both > 0)
    parts.push_back(fmt::format("{} skipped on both sides", comparison.skipped_on_both));
  if (comparison.refined_on_one_side > 0)
    parts.push_back(fmt::format("{} refined on one side only", comparison.refined_on_one_side));
  return parts.empty() ? "no state" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string headline(const Comparison& comparison) {
  const std::size_t all = comparison.states.size();
  std::vector<std::string> bad;
  if (const StateComparison* worst = worst_of(comparison, Verdict::regressed))
    bad.push_back(fmt::format("{} slower, the worst by {}", states(comparison.count(Verdict::regressed)),
                              change(worst->ratio)));
  if (const std::size_t failed = comparison.count(Verdict::failed); failed > 0)
    bad.push_back(fmt::format("{} failed", states(failed)));
  if (const std::size_t missing = comparison.count(Verdict::missing); missing > 0)
    bad.push_back(
        fmt::format("{} missing{}", states(missing), comparison.options.allow_missing ? " (allowed)" : ""));
  if (exit_code(comparison) == 1) return fmt::format("Not fine: {} (of {}).", fmt::join(bad, "; "), all);
  const std::size_t open = comparison.count(Verdict::inconclusive);
  if (open > 0)
    return fmt::format("Inconclusive: {} of {} cannot be decided; none is known slower.", open, states(all));
  const std::size_t faster = comparison.count(Verdict::improved);
  return fmt::format("Fine: none of {} is slower by more than {}{}{}.", states(all),
                     percent(comparison.options.min_effect),
                     faster > 0 ? fmt::format("; {} faster", states(faster)) : "",
                     bad.empty() ? "" : fmt::format("; {}", fmt::join(bad, "; ")));
}

namespace {

/// How many processes of a side neighbours disturbed, at most, and of how many states.
std::string left_out_text(const Comparison& comparison) {
  std::size_t affected = 0, most = 0;
  for (const StateComparison& state : comparison.states) {
    const std::size_t left_out = std::max(state.base_left_out, state.new_left_out);
    affected += left_out > 0;
    most = std::max(most, left_out);
  }
  if (affected == 0) return "";
  return fmt::format(
      "Neighbours on the host disturbed some processes, which were left out: of {}, at most {} a side.",
      states(affected), fmt::format("{} {}", most, units("process", most)));
}

}  // namespace

std::string caveat(const Comparison& comparison) {
  const bool one_process = std::any_of(
      comparison.states.begin(), comparison.states.end(),
      [](const StateComparison& state) { return state.unit == "sample" || state.unit == "repetition"; });
  if (!one_process) return left_out_text(comparison);
  return "One process a side: how much processes differ from each other is not in these numbers; compare "
         "several processes a side, interleaved (see: gate), before trusting a small change.";
}

std::string summary(const StateComparison& state) {
  if (state.ratio <= 0) return state.reason;
  std::string text = fmt::format("{} ({} to {}, noise floor {})", change(state.ratio), change(state.low),
                                 change(state.high), percent(state.noise_floor));
  if (state.base_rate > 0)
    text += fmt::format(", {} to {} {}", reports::format_value(state.base_rate, reports::Unit::number_si),
                        reports::format_value(state.new_rate, reports::Unit::number_si), state.rate_unit);
  if (!state.reason.empty()) text += "; " + state.reason;
  return text;
}

namespace {

std::string elsewhere_text(const Comparison& comparison) {
  if (!comparison.elsewhere) return "";
  return fmt::format(
      " Meanwhile other processes took {} of the processors' time, other guests of the host {}.",
      percent(comparison.elsewhere->others), percent(comparison.elsewhere->steal));
}

}  // namespace

std::string certificate_text(const Comparison& comparison) {
  const auto& [certificate, reason] = comparison.certificate;
  if (!certificate)
    return reason.empty() ? ""
                          : fmt::format("What verdicts on this machine are worth is not known: {}.{}", reason,
                                        elsewhere_text(comparison));
  const std::string caught =
      certificate->smallest_caught
          ? fmt::format("a variant that is {} slower", percent(*certificate->smallest_caught))
          : "no slowdown that was tried";
  return fmt::format(
      "On this machine: {} of {} comparisons of the base with itself raised a false alarm, so at most {} do; "
      "{} is "
      "caught at the first verdict in {:.0f} of 100.{}",
      certificate->false_alarms, certificate->draws, percent(certificate->false_alarm_bound), caught,
      100 * Certificate::kCaughtShare, elsewhere_text(comparison));
}

}  // namespace gpuseq::comparison
