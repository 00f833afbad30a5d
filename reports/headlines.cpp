#include "reports/headlines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/figure_tools.hpp"
#include "reports/page/points.hpp"
#include "reports/report_data.hpp"
#include "reports/units.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/contract/bound.hpp"

namespace gpuseq::reports {
namespace {

using nlohmann::json;

constexpr double kAlike = 1.05;        // ratios up to it are called equal
constexpr double kWideInterval = 0.1;  // half of it over the rate
constexpr double kLoadShows = 0.02;    // of the processors' time
constexpr std::size_t kMostAxes = 3;   // in a winner's words

const json& part(const json& object, const char* key) {
  static const json nothing = nullptr;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

bool is_cpu(const json& winner) {
  return text(winner, "device") == "cpu";
}

std::string metric_of(const json& winner) {
  const std::string metric = text(part(winner, "objective"), "metric");
  return metric.empty() ? "rate" : metric;
}

bool is_minimised(const json& winner) {
  return text(part(winner, "objective"), "direction").starts_with("min");
}

double score_of(const json& winner) {
  return number(winner, metric_of(winner) == "rate" ? "rate" : "score").value_or(NAN);
}

/// "query bases a second" of "query bases/s"
std::string unit_words(const std::string& unit) {
  return unit.ends_with("/s") ? unit.substr(0, unit.size() - 2) + " a second" : unit;
}

/// What sets the ceiling, as what allows so much.
std::string allowed_by(const std::string& bound_by) {
  const auto bound = parse_bound(bound_by);
  if (!bound) return bound_by.empty() ? "its ceiling" : "what " + bound_by + " allows";
  switch (*bound) {
    case Bound::alu:
    case Bound::fma:
      return fmt::format("what its {} units allow", word(*bound));
    case Bound::tensor:
      return "what its tensor cores allow";
    case Bound::issue:
      return "what the issue of instructions allows";
    case Bound::launch:
      return "what the cost of a launch allows";
    case Bound::host_transfer:
      return "what the link to the host allows";
    default:
      return fmt::format("what {} allows", word(*bound));
  }
}

bool is_refuted(const json& winner) {
  return number(winner, "fraction_of_bound").value_or(0) > kRefutedFraction;
}

std::string value_words(const json& winner) {
  const double score = score_of(winner);
  const std::string metric = metric_of(winner);
  if (metric == "rate")
    return fmt::format("{} {}", format_value(score, Unit::number_si), unit_words(text(winner, "rate_unit")));
  std::string unit = text(winner, "rate_unit");
  if (unit.ends_with("/s")) unit.resize(unit.size() - 2);
  if (metric == "work_per_joule")
    return fmt::format("{} {} a joule", format_value(score, Unit::number_si), unit);
  std::string words = metric;
  std::ranges::replace(words, '_', ' ');
  return fmt::format("{} {}", format_value(score, Unit::number), words);
}

std::string bytes_words(const json& winner) {
  const auto bytes = number(part(winner, "memory"), "bytes");
  return bytes && *bytes > 0 ? fmt::format("; {} held", format_value(*bytes, Unit::bytes)) : "";
}

/// "260 times less", "1.4 times less", "as much"
std::string against(double value, double best, bool minimised) {
  const double ratio = minimised ? value / best : best / value;
  if (!(ratio > kAlike)) return "about as much";
  const double digits = std::pow(10, std::floor(std::log10(ratio)) - 1);  // two are enough
  return fmt::format("{} times {}", format_value(std::round(ratio / digits) * digits, Unit::number),
                     minimised ? "more" : "less");
}

/// Winners of one problem and objective, the best first, one a device.
using Group = std::vector<const Reached*>;

bool is_same_problem(const json& a, const json& b) {
  return text(a, "family") == text(b, "family") && part(a, "problem") == part(b, "problem") &&
         metric_of(a) == metric_of(b);
}

std::vector<Group> groups_of(const std::vector<Reached>& reached) {
  std::vector<Group> groups;
  for (const Reached& one : reached) {
    if (one.winner == nullptr || !std::isfinite(score_of(*one.winner))) continue;
    const auto group = std::ranges::find_if(
        groups, [&](const Group& other) { return is_same_problem(*other.front()->winner, *one.winner); });
    if (group == groups.end())
      groups.push_back({&one});
    else
      group->push_back(&one);
  }
  for (Group& group : groups) {
    const bool minimised = is_minimised(*group.front()->winner);
    std::ranges::stable_sort(group, [&](const Reached* a, const Reached* b) {
      const double x = score_of(*a->winner), y = score_of(*b->winner);
      return minimised ? x < y : x > y;
    });
    std::set<std::string> seen;
    std::erase_if(group, [&](const Reached* one) { return !seen.insert(one->device_name).second; });
  }
  return groups;
}

/// "simd (k = 2, d = 64)"
std::string candidate_words(const json& candidate) {
  const std::string point = point_text(part(candidate, "point"));
  return point.empty() ? text(candidate, "variant")
                       : fmt::format("{} ({})", text(candidate, "variant"), point);
}

/// What of one winner's number a reader must know; `subject` is its device in words.
void add_caveats(std::vector<std::string>& caveats, const json& winner, const std::string& subject) {
  const auto samples = number(winner, "samples");
  const bool has_interval = number(winner, "confidence").value_or(0) >= results::kConfidence;
  if (const json& tied = part(winner, "tied_with"); tied.is_array() && !tied.empty()) {
    std::vector<std::string> names;
    for (const json& other : tied) names.push_back(candidate_words(other));
    caveats.push_back(fmt::format("A tie on {}: the race did not tell the winner apart from {}.", subject,
                                  fmt::join(names, "; ")));
  }
  if (samples && *samples < static_cast<double>(results::kFewestSamples) && !has_interval)
    caveats.push_back(fmt::format("The rate of {} comes from {:.0f} {}, too few for an interval.", subject,
                                  *samples, *samples == 1 ? "sample" : "samples"));
  const auto rate = number(winner, "rate"), low = number(winner, "rate_low"),
             high = number(winner, "rate_high");
  if (rate && low && high && (*high - *low) / 2 > kWideInterval * *rate)
    caveats.push_back(fmt::format("The rate of {} is uncertain: {} to {}.", subject,
                                  format_value(*low, Unit::number_si), format_value(*high, Unit::number_si)));
  const json& filling = part(winner, "fills_device");
  if (const json& fills = part(filling, "fills"); fills.is_boolean() && !fills.get<bool>()) {
    const std::string reason = text(filling, "reason");
    caveats.push_back(
        fmt::format("The problem is too small to fill {}{}{}.", subject, reason.empty() ? "" : ": ", reason));
  }
  if (is_refuted(winner))
    caveats.push_back(fmt::format("The rate of {} is above its ceiling, {} of {}: the ceiling is too low.",
                                  subject, format_value(*number(winner, "fraction_of_bound"), Unit::share),
                                  allowed_by(text(winner, "bound_by"))));
}

/// "the GPU 336 ms (mostly index)"; empty where the run does not know.
std::string wait_words(const json& winner, const std::string& subject) {
  const json& waits = part(winner, "waits");
  const auto total = number(waits, "total_s");
  if (!total || !(*total > 0)) return "";
  std::string most;
  if (const json& parts = part(waits, "parts"); parts.is_object())
    for (const auto& [name, seconds] : parts.items())
      if (seconds.is_number() && seconds.get<double>() > *total / 2) most = " (mostly " + name + ")";
  return fmt::format("{} {}{}", subject, format_value(*total, Unit::seconds), most);
}

/// What a user waits for with each winner, which ranks devices otherwise than the kernel alone.
void add_waits(std::vector<std::string>& remarks, const Group& group, const std::vector<Reached>& reached) {
  std::vector<std::string> waits;
  for (const Reached* one : group)
    if (std::string words = wait_words(*one->winner, device_words(reached, *one)); !words.empty())
      waits.push_back(std::move(words));
  if (!waits.empty())
    remarks.push_back(
        fmt::format("With files, index, transfers and output a user waits: {}.", fmt::join(waits, "; ")));
}

/// What run.json says of other sizes of the problem.
void add_sizes(std::vector<std::string>& remarks, const Reached& of) {
  if (of.summary == nullptr) return;
  const std::string family = text(*of.winner, "family"), label = text(*of.winner, "problem_label");
  for (const json& problem : part(*of.summary, "sizes")) {
    if (text(problem, "family") != family || text(problem, "problem_label") != label) continue;
    for (const json& sentence : part(problem, "sentences"))
      if (sentence.is_string()) remarks.push_back(sentence.get<std::string>());
  }
}

bool has_several_families(const std::vector<Reached>& reached) {
  std::set<std::string> families;
  for (const Reached& one : reached)
    if (one.winner != nullptr) families.insert(text(*one.winner, "family"));
  return families.size() > 1;
}

Headline headline_of(const Group& group, const std::vector<Reached>& reached, const WinnerWords& words_of) {
  const json& best = *group.front()->winner;
  const bool is_rate = metric_of(best) == "rate";
  Headline headline{.family = text(best, "family")};
  std::string& out = headline.sentence;
  if (has_several_families(reached)) out = headline.family + ", ";
  out += fmt::format("{}: {} {} {} ({}{})", problem_words(reached, *group.front()),
                     device_words(reached, *group.front()), is_rate ? "reaches" : "comes to",
                     value_words(best), words_of(best), bytes_words(best));
  if (const auto fraction = number(best, "fraction_of_bound"); fraction && is_rate && !is_refuted(best))
    out += fmt::format(", {} of {}", format_value(std::round(100 * *fraction) / 100, Unit::share),
                       allowed_by(text(best, "bound_by")));
  for (std::size_t i = 1; i < group.size(); ++i) {
    const json& other = *group[i]->winner;
    out += fmt::format("; {} {} ({}{}), {}", device_words(reached, *group[i]),
                       format_value(score_of(other), Unit::number_si), words_of(other), bytes_words(other),
                       against(score_of(other), score_of(best), is_minimised(best)));
  }
  out += '.';
  add_waits(headline.remarks, group, reached);
  add_sizes(headline.remarks, *group.front());
  for (const Reached* one : group) add_caveats(headline.caveats, *one->winner, device_words(reached, *one));
  return headline;
}

}  // namespace

std::string winner_words(const json& winner) {
  std::vector<std::string> words{text(winner, "variant")};
  const json& point = part(winner, "point");
  if (!point.is_object()) return words.front();
  for (const auto& [axis, value] : point.items()) {
    const bool differs = std::ranges::any_of(part(winner, "runners_up"), [&](const json& other) {
      const json& theirs = part(part(other, "point"), axis.c_str());
      return !theirs.is_null() && theirs != value;
    });
    if (!differs || words.size() > kMostAxes) continue;
    words.push_back(axis == "threads" ? thread_words(value_text(value))
                                      : fmt::format("{} = {}", axis, value_text(value)));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string device_words(const std::vector<Reached>& reached, const Reached& of) {
  const bool alone = std::ranges::all_of(reached, [&](const Reached& other) {
    return other.winner == nullptr || is_cpu(*other.winner) != is_cpu(*of.winner) ||
           other.device_name == of.device_name;
  });
  return alone ? (is_cpu(*of.winner) ? "the CPU" : "the GPU") : of.device_name;
}

std::string problem_words(const std::vector<Reached>& reached, const Reached& of) {
  const json &winner = *of.winner, &problem = part(winner, "problem");
  const std::string label = text(winner, "problem_label");
  if (label.empty()) return point_text(problem);
  std::vector<const json*> same{&problem};
  for (const Reached& other : reached)
    if (other.winner != nullptr && text(*other.winner, "family") == text(winner, "family") &&
        text(*other.winner, "problem_label") == label)
      same.push_back(&part(*other.winner, "problem"));
  const std::string axes = point_text(problem, common_axes(same));
  return axes.empty() ? label : fmt::format("{} ({})", label, axes);
}

std::vector<Headline> headlines(const std::vector<Reached>& reached, const WinnerWords& words_of) {
  std::vector<Headline> all;
  for (const Group& group : groups_of(reached)) all.push_back(headline_of(group, reached, words_of));
  return all;
}

std::vector<Headline> headlines(const json& summary, const WinnerWords& words_of) {
  std::vector<Reached> reached;
  for (const json& winner : part(summary, "tuned")) {
    const std::string id = text(winner, "device");
    const std::string name = text(part(part(summary, "devices"), id.c_str()), "name");
    reached.push_back({.winner = &winner, .device_name = name.empty() ? id : name, .summary = &summary});
  }
  return headlines(reached, words_of);
}

std::vector<std::string> run_caveats(const json& summary) {
  std::vector<std::string> caveats;
  const json& load = part(summary, "host_load");
  const double others = number(load, "others_share").value_or(0),
               steal = number(load, "steal_share").value_or(0);
  if (others > kLoadShows)
    caveats.push_back(
        fmt::format("Disturbed: other processes took {:.0f} % of the processors' time while this "
                    "was measured; rates of the CPU may be too low.",
                    100 * others));
  if (steal > kLoadShows)
    caveats.push_back(
        fmt::format("Disturbed: other guests of this virtual machine's host took {:.0f} % of the "
                    "processors' time; rates of the CPU may be too low.",
                    100 * steal));
  if (const auto quota = number(part(part(summary, "devices"), "cpu"), "cpu_quota"))
    caveats.push_back(fmt::format(
        "CPU quota: a control group granted {:.3g} processors, and rates of the CPU are of these.", *quota));
  for (const json& one : part(summary, "no_rate")) {
    const std::string label = text(one, "problem_label");
    caveats.push_back(fmt::format("No winner of {} on {}, {}: {}.", text(one, "family"), text(one, "device"),
                                  label.empty() ? point_text(part(one, "problem")) : label,
                                  text(one, "reason")));
  }
  for (const json& cut : part(part(summary, "budget"), "cut"))
    if (const auto states = number(cut, "states"))
      caveats.push_back(
          fmt::format("Not measured, because the budget ended: {:.0f} of {}.", *states, text(cut, "what")));
  const json& probed = part(summary, "probe_points");
  if (!probed.is_object()) return caveats;
  for (const auto& [id, points] : probed.items()) {
    const json& disturbed = part(points, "disturbed");
    if (!disturbed.is_array() || disturbed.empty()) continue;
    const std::string name = text(part(part(summary, "devices"), id.c_str()), "name");
    caveats.push_back(
        fmt::format("Disturbed: on {} of {:.0f} probe points of {} no two passes agree, so its "
                    "ceilings are less certain.",
                    disturbed.size(), number(points, "measured").value_or(0), name.empty() ? id : name));
  }
  return caveats;
}

}  // namespace gpuseq::reports
