#include "reports/report_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reports/device_identity.hpp"
#include "results/journal.hpp"
#include "results/names/axis_defaults.hpp"
#include "results/names/problem_hashes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/json_text.hpp"
#include "runtime/text/printable.hpp"
#include "runtime/time/utc_date.hpp"

namespace gpuseq::reports {
namespace {

using nlohmann::json;

json read_summary(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return nullptr;
  json summary = read_json(file, Texts::printable);
  require_utc_dates(summary, {"started", "finished"}, file.string());
  return summary;
}

using DeviceNames = std::map<std::pair<std::size_t, std::string>, std::string>;

/// The states of probe points that no two passes of a run agree on.
std::set<std::string> disturbed_states(const json& summary) {
  std::set<std::string> states;
  if (!summary.is_object()) return states;
  for (const json& device : summary.value("probe_points", json::object())) {
    if (!device.is_object()) continue;
    for (const json& state : device.value("disturbed", json::array()))
      if (state.is_string()) states.insert(state.get<std::string>());
  }
  return states;
}

/// A probe's point of several passes has the samples of all of them.
void count_samples_of_passes(std::vector<Entry>& entries) {
  const auto place = [](const Entry& entry) { return std::pair(entry.run, entry.state_rank); };
  const auto samples = [](const Entry& entry) {
    return entry.record.statistics ? entry.record.statistics->samples : 0;
  };
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> all;
  for (const Entry& entry : entries)
    if (entry.record.kind == "probe") all[place(entry)] += samples(entry);
  for (Entry& entry : entries)
    if (entry.record.kind == "probe") entry.samples_of_other_passes = all[place(entry)] - samples(entry);
}

/// Runs of one name get their folder's name behind it, or where it lies if that does not tell them apart.
void name_runs_apart(std::vector<Run>& runs) {
  namespace fs = std::filesystem;
  const auto folder = [](const Run& run) {
    return fmt::format(
        "{} ({})", run.name,
        printable(fs::absolute(run.dir / "").lexically_normal().parent_path().filename().string()));
  };
  std::map<std::string, int> names, folders;
  for (const Run& run : runs) {
    ++names[run.name];
    ++folders[folder(run)];
  }
  for (Run& run : runs)
    if (names[run.name] > 1)
      run.name = folders[folder(run)] > 1 ? fmt::format("{} ({})", run.name, printable(run.dir.string()))
                                          : folder(run);
}

void load_run(ReportData& data, const std::filesystem::path& dir) {
  Run run{.dir = dir, .name = printable(dir.filename().string()), .summary = read_summary(dir / "run.json")};
  const bool has_journal = std::filesystem::exists(dir / results::kRecordsFile);
  if (!has_journal && run.summary.is_null())
    throw UsageError(fmt::format("{}: neither records.jsonl nor run.json is here; give the folder of a run",
                                 dir.string()));
  if (run.name.empty()) run.name = printable(dir.parent_path().filename().string());  // "results/h200/"
  if (const std::string name = text(run.summary, "name"); !name.empty()) run.name = name;
  const std::set<std::string> disturbed = disturbed_states(run.summary);
  if (has_journal)
    results::Journal::read(dir / results::kRecordsFile, [&](results::Record record) {
      const bool is_disturbed = !disturbed.empty() && disturbed.contains(record.state.to_string());
      data.entries.push_back(
          {.record = std::move(record), .run = data.runs.size(), .disturbed = is_disturbed});
    });
  data.runs.push_back(std::move(run));
}

/// The axes of `point` in the order in which `all` has them.
Point in_order_of(const Point& all, const Point& point) {
  Point ordered;
  for (const auto& [axis, value] : all.values())
    if (point.has(axis)) ordered.set(axis, point.at(axis));
  for (const auto& [axis, value] : point.values())
    if (!ordered.has(axis)) ordered.set(axis, value);
  return ordered;
}

/// Gives states of older runs the axes that newer ones have, so that what both measured is one state.
void add_newer_axes(ReportData& data) {
  if (data.runs.size() < 2) return;
  results::AxisDefaults defaults;
  for (const Run& run : data.runs)
    if (run.summary.is_object())
      defaults.update(results::AxisDefaults::from_json(run.summary.value("defaults", json())));
  // Of each family and variant the point with most axes: that of its newest run.
  std::map<std::string, Point> problems, variants;
  const auto keep = [](Point& longest, const Point& point) {
    if (point.values().size() > longest.values().size()) longest = point;
  };
  for (const Entry& entry : data.entries) {
    const results::StateKey& state = entry.record.state;
    keep(problems[state.family], state.problem);
    keep(variants[results::variant_id(state.family, state.variant)], state.point);
  }
  for (Entry& entry : data.entries) {
    results::StateKey& state = entry.record.state;
    const std::size_t axes = state.problem.values().size() + state.point.values().size();
    defaults.add_newer_axes(state);
    if (state.problem.values().size() + state.point.values().size() == axes) continue;
    state.problem = in_order_of(problems[state.family], state.problem);
    state.point = in_order_of(variants[results::variant_id(state.family, state.variant)], state.point);
  }
}

/// Sentences about problems that several runs measured with different data: rates of them are not comparable.
std::vector<std::string> different_data(const ReportData& data) {
  if (data.runs.size() == 1) return {};  // its journal was checked as it was read
  results::ProblemHashes hashes;
  std::set<std::string> problems;
  std::string first;
  for (const Entry& entry : data.entries) {
    const results::Record& record = entry.record;
    if (record.kind == "probe") continue;
    const auto found = hashes.difference(record.state, record.problem_hash,
                                         fmt::format("the run {}", data.runs[entry.run].dir.string()));
    if (!found) continue;
    if (first.empty()) first = *found;
    problems.insert(fmt::format("{}/{}", record.state.family, record.state.problem.to_string()));
  }
  if (first.empty()) return {};
  return {
      fmt::format("warning: problems whose data differs between runs: {}; their rates cannot be compared; "
                  "the first: {}",
                  problems.size(), first)};
}

}  // namespace

ReportData load_runs(const std::vector<std::filesystem::path>& dirs, Boards boards) {
  if (dirs.empty()) throw UsageError("no run folder given");
  ReportData data{.boards = boards};
  for (const std::filesystem::path& dir : dirs) load_run(data, dir);
  add_newer_axes(data);
  data.warnings = different_data(data);
  name_runs_apart(data.runs);
  const DeviceNames names = identify_devices(data.runs, data.entries, boards);
  const std::vector<std::size_t> ranks = state_ranks(data.entries);
  for (std::size_t i = 0; i < ranks.size(); ++i) data.entries[i].state_rank = ranks[i];
  count_samples_of_passes(data.entries);
  return data;
}

std::vector<std::size_t> state_ranks(const std::vector<Entry>& entries) {
  std::vector<std::pair<std::string, std::size_t>> texts;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const results::StateKey& state = entries[i].record.state;
    texts.emplace_back(fmt::format("{} {} {} {} {}", entries[i].device_fingerprint, entries[i].record.kind,
                                   state.variant, state.problem.to_string(), state.point.to_string()),
                       i);
  }
  std::sort(texts.begin(), texts.end());
  std::vector<std::size_t> ranks(entries.size());
  std::size_t rank = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i == 0 || texts[i].first != texts[i - 1].first) ++rank;
    ranks[texts[i].second] = rank;
  }
  return ranks;
}

std::vector<const Entry*> ReportData::settled(
    std::string_view family, Contestants contestants,
    const std::function<bool(const results::Record&)>& having) const {
  const bool ranked = std::ranges::none_of(entries, [](const Entry& entry) { return entry.state_rank == 0; });
  const std::vector<std::size_t> ranks = ranked ? std::vector<std::size_t>() : state_ranks(entries);
  std::vector<std::pair<std::size_t, const Entry*>> by_state;
  for (const Entry& entry : entries) {
    const results::Record& record = entry.record;
    if (record.state.family != family || (is_peer(entry) && contestants == Contestants::ours)) continue;
    if (record.status != results::Status::ok || !record.statistics) continue;
    if (record.phase == "size") continue;  // of a problem on the way to another
    if (!std::isfinite(record.statistics->rate) || record.statistics->rate <= 0) continue;
    if (having && !having(record)) continue;
    by_state.emplace_back(ranked ? entry.state_rank : ranks[index_of(entry)], &entry);
  }
  std::stable_sort(by_state.begin(), by_state.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const Entry*> settled, same;
  for (auto state = by_state.begin(); state != by_state.end();) {
    same.clear();
    const std::size_t rank_of_state = state->first;
    for (; state != by_state.end() && state->first == rank_of_state; ++state) {
      if (!same.empty()) {
        const int rank = results::phase_rank(state->second->record.phase),
                  others = results::phase_rank(same.front()->record.phase);
        if (rank < others) continue;
        if (rank > others) same.clear();
      }
      same.push_back(state->second);
    }
    const auto middle = same.begin() + static_cast<std::ptrdiff_t>((same.size() - 1) / 2);
    std::nth_element(same.begin(), middle, same.end(), [](const Entry* a, const Entry* b) {
      return a->record.statistics->rate < b->record.statistics->rate;
    });
    settled.push_back(*middle);
  }
  return settled;
}

std::vector<std::string> ReportData::kernel_families() const {
  std::set<std::string> families;
  for (const Entry& entry : entries)
    if (entry.record.kind == "kernel") families.insert(entry.record.state.family);
  return {families.begin(), families.end()};
}

bool is_peer(const Entry& entry) {
  return entry.record.kind == "tool";
}

std::string device_name(const json& summary, const results::SharedJson& provenance, const std::string& id) {
  const auto name_of = [](const json& device) { return text(device, "name"); };
  if (summary.is_object())
    if (const auto devices = summary.find("devices"); devices != summary.end() && devices->is_object())
      if (const auto device = devices->find(id); device != devices->end())
        if (std::string name = name_of(*device); !name.empty()) return name;
  if (provenance.is_object())
    if (const auto device = provenance.find("device"); device != provenance.end())
      if (std::string name = name_of(*device); !name.empty()) return name;
  return id;
}

std::optional<double> number(const Point& point, std::string_view axis) {
  if (!point.has(axis)) return std::nullopt;
  const auto* integer = std::get_if<std::int64_t>(&point.at(axis));
  return integer ? std::optional<double>(static_cast<double>(*integer)) : std::nullopt;
}

std::string word(const Point& point, std::string_view axis) {
  return point.has(axis) ? to_string(point.at(axis)) : std::string();
}

std::optional<double> number(const json& object, std::string_view key) {
  if (!object.is_object()) return std::nullopt;
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? std::optional<double>(found->get<double>())
                                                     : std::nullopt;
}

std::string text(const json& object, std::string_view key) {
  if (!object.is_object()) return "";
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string value_text(const json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<double> reference_bases(const results::Record& record) {
  for (const char* key : {"reference_bases", "bases"})
    if (const auto bases = number(record.facts, key); bases && *bases > 0) return bases;
  const auto bases = number(record.state.problem, "reference_bases");
  return bases && *bases > 0 ? bases : std::nullopt;
}

}  // namespace gpuseq::reports
