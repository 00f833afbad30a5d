#include "reports/comparison/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "reports/comparison/judge.hpp"
#include "reports/comparison/observations.hpp"
#include "reports/comparison/provenance.hpp"
#include "reports/comparison/words.hpp"
#include "results/statistics/inference_tables.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::comparison {
namespace {

using Observations = std::map<std::string, Observation>;
using Records = std::vector<const ComparedRecord*>;

std::string reason_of(const ComparedRecord& record) {
  if (!record.failure)
    return record.status == results::Status::ok ? "its record holds no number" : "no reason given";
  return fmt::format("{}: {}", record.failure->kind, record.failure->reason);
}

std::string reasons_of(const Records& records, std::string_view what) {
  const std::string others = records.size() == 1 ? "" : fmt::format(" (and {} more)", records.size() - 1);
  return fmt::format("{}: {}{}", what, reason_of(*records.front()), others);
}

/// Work is the same in every process; where a record lacks it there is no rate.
const Work* work_of(const Observation& observation) {
  if (!observation.has_numbers()) return nullptr;
  const Work& work = observation.processes.front().front()->work;
  return work.amount > 0 && !work.unit.empty() ? &work : nullptr;
}

void add_rates(StateComparison& state, const Observation& base, const Observation& next) {
  const Work *a = work_of(base), *b = work_of(next);
  if (!a || !b || a->unit != b->unit) return;
  state.base_rate = a->amount / state.base_median_s;
  state.new_rate = b->amount / state.new_median_s;
  state.rate_unit = a->unit + "/s";
}

struct Sides {
  Observations base, next;
  std::size_t base_processes = 0, new_processes = 0;
  std::set<std::string> refined_groups;  // of the new side: families and devices whose curves it refined
};

/// A state that has numbers on both sides.
struct Measured {
  std::size_t place;  // in the comparison's states
  const Observation *base, *next;
};

void add_remark(std::string& remarks, const std::string& remark) {
  if (!remark.empty()) remarks += (remarks.empty() ? "" : "; ") + remark;
}

/// Remarks on processes that lack what others of their side have.
std::string remark_on(const Observation& base, const Observation& next, const Sides& sides) {
  std::string remark;
  const auto add = [&](const std::string& text) { add_remark(remark, text); };
  if (!base.failed.empty()) add(reasons_of(base.failed, "failed in a process of the base"));
  if (!next.skipped.empty()) add(reasons_of(next.skipped, "skipped in a process of the new side"));
  const bool everywhere_in_base = base.processes.size() == sides.base_processes;
  if (everywhere_in_base && next.processes.size() < sides.new_processes)
    add(fmt::format("measured in {} of {} processes of the new side", next.processes.size(),
                    sides.new_processes));
  return remark;
}

std::string group_of(const results::StateKey& state) {
  return state.family + " " + state.variant + " " + state.device;
}

/// A state that only one side has because each run refines where it found knees.
bool refined_elsewhere(const Observation& only, const Sides& sides) {
  return only.refined_only && sides.refined_groups.contains(group_of(*only.state));
}

/// Whether one of the names is the state's, or the beginning of it up to a slash.
bool is_named(const results::StateKey& state, const std::vector<std::string>& names) {
  const std::string key = state.to_string() + "/";
  return std::ranges::any_of(names, [&](const std::string& name) { return key.starts_with(name + "/"); });
}

void compare_state(Comparison& comparison, std::vector<Measured>& measured, const Observation& base,
                   const Observation& next, const Sides& sides) {
  const bool in_base = !base.processes.empty() || !base.failed.empty() || !base.skipped.empty();
  const bool in_next = !next.processes.empty() || !next.failed.empty() || !next.skipped.empty();
  StateComparison state{.state = in_next ? *next.state : *base.state,
                        .problem_label = std::string(next.label.empty() ? base.label : next.label)};
  if (!next.failed.empty()) {
    state.verdict = Verdict::failed;
    state.reason = reasons_of(next.failed, "failed");
    if (!base.failed.empty()) state.reason += "; the base failed as well";
  } else if (base.has_numbers() && next.has_numbers()) {
    measured.push_back({comparison.states.size(), &base, &next});
    state.reason = remark_on(base, next, sides);
  } else if (next.has_numbers()) {
    if (!in_base && refined_elsewhere(next, sides)) {
      ++comparison.refined_on_one_side;
      return;
    }
    state.verdict = Verdict::added;
    state.reason = !base.failed.empty()    ? reasons_of(base.failed, "the base failed")
                   : !base.skipped.empty() ? reasons_of(base.skipped, "the base skipped it")
                                           : "the base does not have it";
  } else if (base.has_numbers() || !base.failed.empty()) {
    if (!in_next && refined_elsewhere(base, sides)) {
      ++comparison.refined_on_one_side;
      return;
    }
    const bool deleted = !in_next && is_named(state.state, comparison.options.deleted);
    state.verdict = deleted ? Verdict::deleted : Verdict::missing;
    state.reason = !next.skipped.empty() ? reasons_of(next.skipped, "the new side skipped it")
                                         : "the new side does not have it";
    if (!base.failed.empty()) state.reason += "; the base failed";
  } else {
    ++comparison.skipped_on_both;
    return;
  }
  comparison.states.push_back(std::move(state));
}

/// Remark on processes that neighbours disturbed.
std::string remark_on_disturbed(const Values& base, const Values& next) {
  if (base.disturbed + next.disturbed == 0) return "";
  return fmt::format("neighbours disturbed {} {} of the base and {} of the new side: {}", base.disturbed,
                     units("process", base.disturbed), next.disturbed,
                     base.left_out || next.left_out
                         ? "left out"
                         : "kept, as a side has too few others, or processes without a witness");
}

/// On all processors: a state's numbers do not depend on those of others.
void compare_measured(Comparison& comparison, const std::vector<Measured>& measured) {
  constexpr std::size_t kStatesAtOnce = 256;
  const auto compare = [&](std::size_t begin, std::size_t end) {
    results::InferenceTables tables;
    for (std::size_t i = begin; i < end; ++i) {
      const auto& [place, base, next] = measured[i];
      StateComparison& state = comparison.states[place];
      const auto [a, b] = values_of(*base, *next);
      compare_values(state, a, b, comparison.options, tables);
      add_remark(state.reason, remark_on_disturbed(a, b));
      add_rates(state, *base, *next);
    }
  };
  if (measured.size() <= kStatesAtOnce) return compare(0, measured.size());
  ThreadPool(0, /*pin=*/false).parallel_for(measured.size(), kStatesAtOnce, compare);
}

void judge_all(Comparison& comparison) {
  std::vector<StateComparison*> judged;
  std::vector<std::string> remarks;
  for (StateComparison& state : comparison.states)
    if (state.ratio > 0) {
      judged.push_back(&state);
      remarks.push_back(std::exchange(state.reason, ""));
    }
  judge(judged, comparison.options);
  for (std::size_t i = 0; i < judged.size(); ++i) add_remark(judged[i]->reason, remarks[i]);
}

int badness(Verdict verdict) {
  switch (verdict) {
    case Verdict::failed:
      return 0;
    case Verdict::missing:
      return 1;
    case Verdict::regressed:
      return 2;
    case Verdict::inconclusive:
      return 3;
    case Verdict::deleted:
      return 4;
    case Verdict::added:
      return 5;
    case Verdict::same:
      return 6;
    case Verdict::improved:
      return 7;
  }
  return 0;
}

void sort_worst_first(std::vector<StateComparison>& states) {
  std::stable_sort(states.begin(), states.end(), [](const StateComparison& a, const StateComparison& b) {
    return std::make_tuple(badness(a.verdict), -a.ratio) < std::make_tuple(badness(b.verdict), -b.ratio);
  });
}

void require_records(const Side& side, const char* which) {
  const bool any = std::any_of(side.processes.begin(), side.processes.end(),
                               [](const auto& process) { return !process.empty(); });
  if (!any) throw UsageError(fmt::format("{} ({}) holds no record", side.name, which));
}

std::set<std::string> refined_groups(const Side& side) {
  std::set<std::string> groups;
  for (const auto& process : side.processes)
    for (const ComparedRecord& record : process)
      if (record.phase == "refine") groups.insert(group_of(record.state));
  return groups;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::improved:
      return "improved";
    case Verdict::regressed:
      return "regressed";
    case Verdict::same:
      return "same";
    case Verdict::inconclusive:
      return "inconclusive";
    case Verdict::missing:
      return "missing";
    case Verdict::deleted:
      return "deleted";
    case Verdict::added:
      return "added";
    case Verdict::failed:
      return "failed";
  }
  return "?";
}

std::size_t Comparison::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::count_if(
      states.begin(), states.end(), [&](const StateComparison& state) { return state.verdict == verdict; }));
}

Comparison compare(const Side& base, const Side& next, const CompareOptions& options) {
  require_records(base, "the base");
  require_records(next, "the new side");
  Comparison comparison;
  comparison.base_name = base.name;
  comparison.new_name = next.name;
  comparison.options = options;
  comparison.defaults = base.defaults;
  comparison.defaults.update(next.defaults);
  comparison.differences = provenance_differences(base, next, options.allowed);
  if (const std::string refused = why_refused(comparison.differences); !refused.empty())
    throw UsageError(
        fmt::format("{} and {} are not comparable unless allowed (--allow "
                    "device,driver,problem):{}",
                    base.name, next.name, refused));
  const Sides sides{observe(base, comparison.defaults), observe(next, comparison.defaults),
                    base.processes.size(), next.processes.size(), refined_groups(next)};
  // Both are in the order of the keys.
  static const Observation nothing;
  std::vector<Measured> measured;
  for (auto a = sides.base.begin(), b = sides.next.begin(); a != sides.base.end() || b != sides.next.end();) {
    const bool in_a = b == sides.next.end() || (a != sides.base.end() && a->first <= b->first);
    const bool in_b = a == sides.base.end() || (b != sides.next.end() && b->first <= a->first);
    compare_state(comparison, measured, in_a ? a->second : nothing, in_b ? b->second : nothing, sides);
    if (in_a) ++a;
    if (in_b) ++b;
  }
  compare_measured(comparison, measured);
  judge_all(comparison);
  sort_worst_first(comparison.states);
  return comparison;
}

int exit_code(const Comparison& comparison) {
  const bool missing = comparison.count(Verdict::missing) > 0 && !comparison.options.allow_missing;
  if (missing || comparison.count(Verdict::regressed) > 0 || comparison.count(Verdict::failed) > 0) return 1;
  return comparison.count(Verdict::inconclusive) > 0 ? 3 : 0;
}

}  // namespace gpuseq::comparison
