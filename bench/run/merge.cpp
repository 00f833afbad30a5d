#include "bench/run/merge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "bench/bound/bound.hpp"
#include "bench/config/provenance.hpp"
#include "bench/measure/violated.hpp"
#include "bench/profile/store/run_profiles.hpp"
#include "bench/run/controls.hpp"
#include "results/journal.hpp"
#include "results/names/problem_hashes.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using results::Record;

std::string name_of(const MergeInput& input) {
  return input.folder.dir.string();
}

/// The first few of a list, and how many more.
std::string some_of(const std::vector<std::string>& all) {
  constexpr std::size_t kShown = 5;
  const std::size_t shown = std::min(all.size(), kShown);
  std::string text =
      fmt::format("{}", fmt::join(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown), "; "));
  if (all.size() > shown) text += fmt::format("; and {} more", all.size() - shown);
  return text;
}

void check_same(const MergeInput& first, const MergeInput& other, const MergeOptions& options) {
  const auto refuse = [&](const std::string& what) {
    throw UsageError(
        fmt::format("{} and {} are no shards of one run: {}", name_of(first), name_of(other), what));
  };
  if (first.run.config.hash() != other.run.config.hash())
    refuse(fmt::format("their configs differ in {}",
                       fmt::join(differences(first.run.config, other.run.config), ", ")));
  const Invocation &a = first.run.invocation, &b = other.run.invocation;
  if (a.benchmark_flags != b.benchmark_flags)
    refuse(fmt::format("flags \"{}\" and \"{}\"", fmt::join(a.benchmark_flags, " "),
                       fmt::join(b.benchmark_flags, " ")));
  if (a.probes_only != b.probes_only) refuse("one of them ran only probes");
  if (a.shard.count != b.shard.count)
    refuse(fmt::format("shards of {} and of {}", a.shard.count, b.shard.count));
  const json p = first.run.summary.value("program", json()), q = other.run.summary.value("program", json());
  if ((p.is_object() != q.is_object() || is_other_program(p, q)) && !options.on_other_program)
    refuse(fmt::format("programs {} and {} (--on-other-program merges them all the same)", program_text(p),
                       program_text(q)));
  if (!first.run.data || !other.run.data) return;  // of an older version
  for (const auto& [name, data] : *first.run.data)
    if (const auto found = other.run.data->find(name);
        found != other.run.data->end() && found->second.hash != data.hash)
      refuse(fmt::format("{} had {} bytes of hash {} and {} bytes of hash {}",
                         first.run.config.data.at(name).path.string(), data.bytes, data.hash,
                         found->second.bytes, found->second.hash));
}

/// @throws UsageError for a problem that was measured with different data
void check_problems(const std::vector<MergeInput>& inputs) {
  results::ProblemHashes hashes;
  for (const MergeInput& input : inputs) {
    const Shard& shard = input.run.invocation.shard;
    const std::string where = fmt::format("shard {}/{} in {}", shard.index, shard.count, name_of(input));
    for (const Record& record : input.records) hashes.check(record, where);
  }
}

void check_shards(const std::vector<MergeInput>& inputs, const MergeOptions& options) {
  std::map<int, const MergeInput*> by_index;
  for (const MergeInput& input : inputs) {
    check_same(inputs.front(), input, options);
    const Shard shard = input.run.invocation.shard;
    const auto [found, is_new] = by_index.emplace(shard.index, &input);
    if (!is_new)
      throw UsageError(fmt::format("{} and {} are both shard {}/{}", name_of(*found->second), name_of(input),
                                   shard.index, shard.count));
    if (input.run.summary.value("complete", false) || options.allow_gaps) continue;
    throw UsageError(fmt::format("{} is not complete; go on with: gpuseq-bench --resume {} (or --allow-gaps)",
                                 name_of(input), name_of(input)));
  }
  std::vector<int> absent;
  const int count = inputs.front().run.invocation.shard.count;
  for (int i = 1; i <= count; ++i)
    if (!by_index.contains(i)) absent.push_back(i);
  if (!absent.empty() && !options.allow_gaps)
    throw UsageError(fmt::format("missing: shard {} of {} (--allow-gaps merges the others)",
                                 fmt::join(absent, ", "), count));
}

/// The states that the whole run would have measured. Shards that planned differently
/// (a footprint "device" on nodes of different memory) are no parts of one whole.
std::vector<std::string> planned_states(const std::vector<MergeInput>& inputs, const Registry& registry) {
  std::vector<std::string> all;
  for (const MergeInput& input : inputs) {
    if (!all.empty() && input.run.invocation.devices == inputs.front().run.invocation.devices) continue;
    Invocation whole = input.run.invocation;
    whole.shard = {};
    const Sweep sweep = invoked_sweep(input.run.config, whole, registry);
    std::vector<std::string> keys;
    for (const auto* states : {&sweep.probes, &sweep.kernels})
      for (const State& state : *states) keys.push_back(state.key.to_string());
    if (&input == &inputs.front()) all = keys;
    if (keys != all)
      throw UsageError(fmt::format("{} and {} planned different states: their devices differ",
                                   name_of(inputs.front()), name_of(input)));
  }
  return all;
}

/// All records in the order of the plan; those that are not planned (probes that bounds need,
/// refined footprints) are last. Probes that a shard's own bounds needed become repetitions of those
/// that others have. Other records of a state belong to its shard: those of controls are left out.
std::vector<Record> ordered(const std::vector<MergeInput>& inputs, const std::vector<ShardPlan>& plans,
                            const std::vector<std::string>& planned) {
  std::map<std::string, std::size_t> place;
  for (const std::string& key : planned) place.emplace(key, place.size());
  std::map<std::string, const MergeInput*> seen;
  std::vector<std::string> twice;
  std::vector<std::pair<std::size_t, Record>> records;
  const auto add = [&](const MergeInput& input, Record record) {
    const auto [other, is_new] = seen.emplace(results::record_key(record), &input);
    if (!is_new)
      twice.push_back(fmt::format("{}: in {} and {}", results::record_key(record), name_of(*other->second),
                                  name_of(input)));
    const auto found = place.find(record.state.to_string());
    records.emplace_back(found == place.end() ? planned.size() : found->second, std::move(record));
  };
  const auto is_of_another = [&](const Record& record, const ShardPlan& plan) {
    const std::string state = record.state.to_string();
    const bool is_needed = record.phase == "probe";
    const bool is_control = record.phase == "sweep" && plan.controls.contains(state);
    return (is_needed || is_control) && !plan.own.contains(state);
  };
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (const Record& record : inputs[i].records)
      if (!is_of_another(record, plans[i])) add(inputs[i], record);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (Record record : inputs[i].records) {
      if (record.phase != "probe" || !is_of_another(record, plans[i])) continue;
      while (seen.contains(results::record_key(record))) ++record.repetition;
      add(inputs[i], std::move(record));
    }
  if (!twice.empty()) throw UsageError("overlap, measured twice: " + some_of(twice));
  std::stable_sort(records.begin(), records.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Record> list;
  list.reserve(records.size());
  for (auto& [unused, record] : records) list.push_back(std::move(record));
  return list;
}

/// A part of a record's provenance; empty where it has none.
const json& part_of(const Record& record, const char* name) {
  static const json nothing = json::object();
  const auto found = record.provenance.find(name);
  return found == record.provenance.end() ? nothing : *found;
}

std::string host_of(const Record& record) {
  return text_of(part_of(record, "host"), "name");
}

/// Devices of equal name and memory are as fast as each other as far as a bound goes.
std::string model_of(const Record& record) {
  const json& device = part_of(record, "device");
  return text_of(device, "name") + " " + device.value("memory_bytes", json()).dump();
}

std::string node_of(const Record& record) {
  return host_of(record) + " " + model_of(record);
}

/// Results of probes, by the common part of their records.
using ProbesBy = std::map<std::string, ProbeResults>;
ProbesBy probes_by(std::span<const Record> profiles, std::span<const Record> records,
                   const std::function<std::string(const Record&)>& key) {
  std::map<std::string, std::vector<Record>> groups;
  for (const std::span<const Record> some : {profiles, records})
    for (const Record& record : some)
      if (record.kind == "probe") groups[key(record)].push_back(record);
  ProbesBy found;
  for (const auto& [name, group] : groups) found.emplace(name, probe_results(group));
  return found;
}

/// The processors that "all threads" means in a record; older records only have those of the machine.
int threads_of(const Record& record) {
  return part_of(record, "host").value("available_cpus", part_of(record, "device").value("threads", 1));
}

/// Results of probes by node, and by model of the device.
struct AllProbes {
  ProbesBy by_node, by_model;
};

struct FoundBound {
  Maybe<results::Bound> bound;
  bool elsewhere = false;  // from probes of another node
};

/// A record's bound by its own node's probes or, where these do not say, by those of such a device
/// elsewhere.
FoundBound find_bound(const Record& record, const AllProbes& probes,
                      Maybe<results::Bound> (*bound_of)(const Record&, const ProbeResults&, int)) {
  const auto from = [&](const ProbesBy& all, const std::string& key) -> Maybe<results::Bound> {
    const auto found = all.find(key);
    if (found == all.end()) return {std::nullopt, "no probe ran on this device in any shard"};
    return bound_of(record, found->second, threads_of(record));
  };
  const auto own = from(probes.by_node, node_of(record));
  if (own.value) return {own, false};
  return {from(probes.by_model, model_of(record)), true};
}

/// The lowest of a record's bounds.
FoundBound find_bound(const Record& record, const AllProbes& probes) {
  const std::array found{find_bound(record, probes, memory_bound_of),
                         find_bound(record, probes, instruction_bound_of),
                         find_bound(record, probes, launch_bound_of)};
  FoundBound all{lower_of(lower_of(found[0].bound, found[1].bound), found[2].bound)};
  if (!all.bound.value) return all;
  const auto lowest = std::ranges::find_if(found, [&](const FoundBound& one) {
    return one.bound.value && one.bound.value->rate == all.bound.value->rate;
  });
  all.elsewhere = lowest->elsewhere;
  return all;
}

/// The profiles in use, by node and device; by nothing, one of them.
using Profiles = std::map<std::pair<std::string, std::string>, results::BoundSource>;
Profiles profiles_of(const std::vector<MergeInput>& inputs) {
  Profiles profiles;
  for (const MergeInput& input : inputs)
    for (const auto& [device, of] : input.profiles.items()) {
      if (of["stands"] != "profile" || input.records.empty()) continue;
      const results::BoundSource profile{of["key"].get<std::string>(), of["made"].get<std::string>()};
      profiles.insert_or_assign({host_of(input.records.front()), device}, profile);
      profiles.try_emplace({"", ""}, profile);
    }
  return profiles;
}

/// Records of probes of which no profile has the point: of the others shards took few looks, to confirm a
/// profile.
std::vector<Record> own_probes(const std::vector<Record>& records,
                               const std::vector<Record>& profile_records) {
  std::vector<Record> own;
  if (profile_records.empty()) return own;
  std::set<std::string> on_profiles;
  for (const Record& record : profile_records) on_profiles.insert(record.state.to_string());
  std::ranges::copy_if(records, std::back_inserter(own), [&](const Record& record) {
    return record.kind == "probe" && !on_profiles.contains(record.state.to_string());
  });
  return own;
}

void add_bounds(std::vector<Record>& records, const std::vector<Record>& profile_records,
                const Profiles& profiles) {
  const AllProbes probes{probes_by(profile_records, records, node_of),
                         probes_by(profile_records, records, model_of)};
  const std::vector<Record> not_on_profiles = own_probes(records, profile_records);
  const AllProbes own{probes_by({}, not_on_profiles, node_of), probes_by({}, not_on_profiles, model_of)};
  for (Record& record : records) {
    if (record.kind != "kernel" || !record.statistics || (!record.traffic && !record.instructions)) continue;
    // A shard knows its own probes only: of several bounds it may have missed the lowest.
    const bool one_bound = !record.instructions && record.traffic->classes.empty();
    // Those of devices that share the work were of one node, whose probes lie by device.
    const bool shared = record.instructions && !record.instructions->by_device.empty();
    if (record.bound.value && (one_bound || shared)) continue;
    const FoundBound found = find_bound(record, probes);
    settle_bound(record, found.bound);
    if (!record.bound.value) continue;
    if (found.elsewhere) record.notes.push_back("the bound's probes ran on another node with such a device");
    if (profiles.empty()) continue;
    const auto profile = profiles.find({host_of(record), record.state.device});
    name_source(record, find_bound(record, own).bound,
                profile == profiles.end() ? profiles.at({"", ""}) : profile->second);
  }
}

/// Those of all shards, each once: several shards may have taken the same profile's.
std::vector<Record> profile_records_of(const std::vector<MergeInput>& inputs) {
  std::vector<Record> all;
  std::set<std::string> seen;
  for (const MergeInput& input : inputs)
    for (const Record& record : input.profile_records)
      if (seen.insert(results::to_json(record).dump(-1, ' ', false, json::error_handler_t::replace)).second)
        all.push_back(record);
  return all;
}

}  // namespace

MergeInput read_merge_input(const std::filesystem::path& dir) {
  const RunFolder folder{std::filesystem::absolute(dir).lexically_normal()};
  MergeInput input{.folder = folder,
                   .run = read_start(folder),
                   .records = {},
                   .profiles = profiles_of_run(folder.dir),
                   .profile_records = profile_records_of_run(folder.dir)};
  if (std::filesystem::exists(folder.records())) input.records = results::Journal::load(folder.records());
  return input;
}

Merged merge(const std::vector<MergeInput>& inputs, const Registry& registry, const MergeOptions& options) {
  if (inputs.empty()) throw UsageError("no run folder to merge");
  check_shards(inputs, options);
  check_problems(inputs);
  const std::vector<std::string> planned = planned_states(inputs, registry);
  std::vector<ShardPlan> plans;
  plans.reserve(inputs.size());
  for (const MergeInput& input : inputs) plans.push_back(shard_plan(input, registry));
  check_controls(inputs, plans);
  Merged merged{.records = ordered(inputs, plans, planned),
                .profile_records = profile_records_of(inputs),
                .remarks = {},
                .complete = true};
  std::set<std::string> measured;
  for (const Record& record : merged.records) measured.insert(record.state.to_string());
  std::vector<std::string> gaps;
  std::copy_if(planned.begin(), planned.end(), std::back_inserter(gaps),
               [&](const std::string& key) { return !measured.contains(key); });
  if (!gaps.empty()) {
    const std::string text =
        fmt::format("{} of {} states in no shard: {}", gaps.size(), planned.size(), some_of(gaps));
    if (!options.allow_gaps) throw UsageError(text + " (--allow-gaps merges the others)");
    merged.remarks.push_back(text);
    merged.complete = false;
  }
  add_bounds(merged.records, merged.profile_records, profiles_of(inputs));
  return merged;
}

}  // namespace gpuseq::bench
