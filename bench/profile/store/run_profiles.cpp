#include "bench/profile/store/run_profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <map>
#include <set>

#include "bench/bound/curves.hpp"
#include "bench/config/json_file.hpp"
#include "bench/config/provenance.hpp"
#include "bench/plan/passes.hpp"
#include "bench/profile/store/profile_store.hpp"
#include "bench/profile/store/spot_check.hpp"
#include "results/journal.hpp"
#include "results/reading/provenances.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/text/printable.hpp"
#include "runtime/time/utc_date.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;
using results::Record;

constexpr const char* kProfile = "profile";
constexpr const char* kRun = "run";

/// Seconds since a time as utc_now() writes it.
double age_s(const std::string& utc) {
  std::tm parts{};
  if (strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts) == nullptr) return 0;
  return std::max(0.0, std::difftime(std::time(nullptr), timegm(&parts)));
}

std::map<std::string, std::vector<State>> by_device(std::span<const State> states) {
  std::map<std::string, std::vector<State>> devices;
  for (const State& state : states) devices[state.key.device].push_back(state);
  return devices;
}

/// The needed states of which a profile has as many passes as the run would make, and which agree.
std::vector<State> had_by(const KeptProfile& profile, std::span<const State> needed,
                          const SuiteConfig& config) {
  std::map<std::string, int> passes;
  for (const Record& record : profile.records) ++passes[record.state.to_string()];
  std::set<std::string> disturbed;
  for (const Curve& curve : curves_of(profile.records))
    for (const Curve::At& at : curve.disturbed) disturbed.insert(at.state);
  std::vector<State> had;
  std::ranges::copy_if(needed, std::back_inserter(had), [&](const State& state) {
    const auto found = passes.find(state.key.to_string());
    return found != passes.end() && found->second >= passes_of(state, config.sampling) &&
           !disturbed.contains(found->first);
  });
  return had;
}

bool took_records(const ordered_json& of) {
  return of.contains("check");
}

std::string line_of(const std::string& device, const ordered_json& of) {
  if (of.at("stands") != kProfile)
    return fmt::format("bounds of {}: from probes of this run: {}\n", device,
                       of.at("reason").get<std::string>());
  const ordered_json& check = of.at("spot_check");
  const auto lacking = of.at("lacking").get<std::size_t>();
  return fmt::format(
      "bounds of {}: {} points from this machine's profile of {}; {} were measured again and agree within "
      "{:.0f} %{}\n",
      device, of.at("points").get<std::size_t>(), of.at("made").get<std::string>(), check.at("points").size(),
      100 * check.at("tolerance").get<double>(),
      lacking > 0 ? fmt::format("; {} more were measured", lacking) : "");
}

/// Why a profile is rejected: the point that differs most.
std::string refusal(const SpotCheck& check) {
  if (check.points.empty()) return "no point of this machine's profile could be measured";
  const auto far = [](const CheckedPoint& point) {
    return point.agrees ? 0 : std::abs(std::log(point.profile_s / point.now_s));
  };
  const CheckedPoint& worst = *std::ranges::max_element(check.points, {}, far);
  const auto differ = std::ranges::count(check.points, false, &CheckedPoint::agrees);
  return fmt::format(
      "{} of {} points differ from this machine's profile; the most: {} is {:.3g} {} and was {:.3g}; "
      "between passes its time varies by up to {:.0f} % more or {:.0f} % less",
      differ, check.points.size(), worst.state, 1 / worst.now_s, worst.rate_unit, 1 / worst.profile_s,
      100 * worst.allowed.slower, 100 * worst.allowed.faster / (1 + worst.allowed.faster));
}

/// @throws UsageError if the config requires a profile and none is valid
void require_profile(const SuiteConfig& config, const std::string& device, const std::string& reason) {
  if (config.bounds_from == BoundsFrom::profile)
    throw UsageError(
        fmt::format("{}: {}; bounds_from is \"profile\"; `gpuseq-bench machine --renew` makes a profile, "
                    "\"auto\" measures where there is none",
                    device, reason));
}

}  // namespace

RunProfiles::RunProfiles(fs::path dir) : dir_(std::move(dir)) {}

bool RunProfiles::stands(const std::string& device) const {
  const auto found = devices_.find(device);
  return found != devices_.end() && found->at("stands") == kProfile;
}

void RunProfiles::begin(const NeededProbes& needed, const SuiteConfig& config, bool may_take,
                        const Describe& describe) {
  const bool is_taken = fs::exists(dir_ / kRunProfilesFile);
  if (is_taken) {
    devices_ = profiles_of_run(dir_);
    if (std::ranges::any_of(devices_, took_records))
      records_ = results::Journal::load(dir_ / kProfileRecordsFile);
  } else if (may_take && !needed.states.empty() && config.bounds_from != BoundsFrom::run) {
    take(needed, config, describe);
  }
  for (auto& [device, of] : devices_.items()) {
    // A run may continue on another device: records from the profile's device stay valid, but are not used
    // here.
    if (is_taken && of.contains("key") && of["key"] != profile_key(describe(device)).hash()) {
      of["stands"] = kRun;
      of["reason"] = "the run continues on another device than that of its profile";
    }
    if (of["stands"] == kRun) require_profile(config, device, of["reason"].get<std::string>());
  }
}

void RunProfiles::take(const NeededProbes& needed, const SuiteConfig& config, const Describe& describe) {
  const ProfileStore store(config.cache_dir);
  for (const auto& [device, states] : by_device(needed.states)) {
    ordered_json& of = devices_[device];
    const ProfileKey key = profile_key(describe(device));
    of = {{"stands", kRun}, {"reason", nullptr}, {"key", key.hash()}};
    if (config.sampling.cold_cache) {
      of["reason"] = "a profile is of warm caches";
      continue;
    }
    std::string remark;
    const std::optional<KeptProfile> profile = store.find(key, device, remark);
    const std::vector<State> had = profile ? had_by(*profile, states, config) : std::vector<State>();
    if (had.empty()) {
      of["reason"] = !remark.empty() ? remark
                     : profile       ? "this machine's profile has none of the needed points"
                                     : "there is no profile of this machine";
      continue;
    }
    std::set<std::string> keys;
    for (const State& state : had) keys.insert(state.key.to_string());
    for (const State& state : had_by(*profile, needed.beyond, config)) keys.insert(state.key.to_string());
    std::ranges::copy_if(profile->records, std::back_inserter(records_),
                         [&](const Record& record) { return keys.contains(record.state.to_string()); });
    of["stands"] = nullptr;
    of["made"] = profile->made;
    of["age_s"] = age_s(profile->made);
    of["points"] = had.size();
    of["lacking"] = states.size() - had.size();
    of["check"] = points_to_check(had, config);
  }
  if (!records_.empty()) write_file_atomically(dir_ / kProfileRecordsFile, results::lines_of(records_));
  write();
}

void RunProfiles::write() const {
  write_json(dir_ / kRunProfilesFile, {{"schema", kRunProfilesSchema}, {"devices", devices_}});
}

std::vector<State> RunProfiles::to_check(std::span<const State> needed, std::span<const Record> measured,
                                         int look, int repetitions) const {
  std::set<std::string> keys;
  for (const auto& [device, of] : devices_.items()) {
    if (!of.at("stands").is_null()) continue;
    const auto check = of.at("check").get<std::vector<std::string>>();
    keys.insert(check.begin(), check.end());
    if (look == 0) continue;
    for (const CheckedPoint& point : spot_check(records_, measured, check, repetitions).points)
      if (point.agrees) keys.erase(point.state);
  }
  std::vector<State> states;
  for (const State& state : needed)
    if (keys.contains(state.key.to_string())) {
      states.push_back(state);
      states.back().repetition = look * repetitions;
    }
  return states;
}

std::vector<std::string> RunProfiles::decide(std::span<const Record> measured, int repetitions,
                                             const SuiteConfig& config) {
  std::vector<std::string> lines;
  for (auto& [device, of] : devices_.items()) {
    if (!of["stands"].is_null()) continue;
    const SpotCheck check =
        spot_check(records_, measured, of["check"].get<std::vector<std::string>>(), repetitions);
    of["stands"] = check.agrees() ? kProfile : kRun;
    of["spot_check"] = check.to_json();
    if (!check.agrees()) of["reason"] = refusal(check);
    lines.push_back(line_of(device, of));
  }
  if (lines.empty()) return lines;
  write();
  for (const auto& [device, of] : devices_.items())
    if (of["stands"] == kRun) require_profile(config, device, of["reason"].get<std::string>());
  return lines;
}

std::vector<State> RunProfiles::to_measure(std::span<const State> needed) const {
  std::set<std::string> had;
  for (const Record& record : records_)
    if (stands(record.state.device)) had.insert(record.state.to_string());
  std::vector<State> left;
  std::ranges::copy_if(needed, std::back_inserter(left),
                       [&](const State& state) { return !had.contains(state.key.to_string()); });
  return left;
}

std::vector<Record> RunProfiles::with(std::span<const Record> measured) const {
  std::vector<Record> all;
  std::ranges::copy_if(records_, std::back_inserter(all),
                       [&](const Record& record) { return stands(record.state.device); });
  all.insert(all.end(), measured.begin(), measured.end());
  return all;
}

std::vector<Record> RunProfiles::own(std::span<const Record> measured, int repetitions) const {
  std::set<std::string> checked;
  for (const auto& [device, of] : devices_.items())
    if (stands(device))
      for (const ordered_json& state : of.at("check")) checked.insert(state.get<std::string>());
  std::vector<Record> rest;
  std::ranges::copy_if(measured, std::back_inserter(rest), [&](const Record& record) {
    return record.repetition >= kMostChecks * repetitions || !checked.contains(record.state.to_string());
  });
  return rest;
}

bool RunProfiles::any() const {
  return std::ranges::any_of(records_, [&](const Record& record) { return stands(record.state.device); });
}

std::optional<results::BoundSource> RunProfiles::profile_of(const std::string& device) const {
  auto found = stands(device) ? devices_.find(device) : devices_.begin();
  while (found != devices_.end() && found->at("stands") != kProfile) ++found;
  if (found == devices_.end()) return std::nullopt;
  return results::BoundSource{found->at("key").get<std::string>(), found->at("made").get<std::string>()};
}

ordered_json profiles_of_run(const fs::path& dir) {
  const fs::path file = dir / kRunProfilesFile;
  if (!fs::exists(file)) return ordered_json::object();
  ordered_json devices = read_json(file, Texts::printable).value("devices", json());
  const auto is_whole = [](const ordered_json& of) {
    if (!of.is_object() || !of.contains("stands")) return false;
    if (of["stands"] == kRun) return of.contains("reason") && of["reason"].is_string();
    return (of["stands"].is_null() || of["stands"] == kProfile) && of.contains("check") &&
           of["check"].is_array() && of.contains("points") && of.contains("lacking") && of.contains("made") &&
           of["made"].is_string() && of.contains("key") && of["key"].is_string();
  };
  if (!devices.is_object() || !std::ranges::all_of(devices, is_whole))
    throw UsageError(fmt::format("{}: is not of the form that a run writes", file.string()));
  for (const auto& [id, of] : devices.items())
    require_utc_dates(of, {"made"}, fmt::format("{}: /devices/{}", file.string(), id));
  return devices;
}

std::vector<Record> profile_records_of_run(const fs::path& dir) {
  const ordered_json devices = profiles_of_run(dir);
  std::vector<Record> records;
  if (std::ranges::none_of(devices, took_records)) return records;
  results::Journal::read(dir / kProfileRecordsFile, [&](Record record) {
    const auto of = devices.find(record.state.device);
    if (of != devices.end() && of->at("stands") == kProfile) records.push_back(std::move(record));
  });
  return records;
}

void name_source(Record& record, const Maybe<results::Bound>& own,
                 const std::optional<results::BoundSource>& profile) {
  constexpr double kSame = 1e-9;
  if (!record.bound.value) return;
  results::Bound& bound = *record.bound.value;
  const bool own_says_it = own.value && std::abs(own.value->rate / bound.rate - 1) < kSame;
  bound.profile = own_says_it ? std::nullopt : profile;
}

std::string profiles_preview(std::span<const State> needed, const SuiteConfig& config) {
  std::string text;
  if (config.bounds_from == BoundsFrom::run || config.sampling.cold_cache) return text;
  const ProfileStore store(config.cache_dir);
  for (const auto& [device, states] : by_device(needed)) {
    std::string remark;
    const std::optional<KeptProfile> profile =
        store.find(profile_key(open_device(device)->describe()), device, remark);
    if (!remark.empty()) text += fmt::format("{}: {}\n", device, printable(remark));
    if (const std::size_t had = profile ? had_by(*profile, states, config).size() : 0; had > 0)
      text += fmt::format(
          "{}: {} of these {} are in this machine's profile of {}; some of them are measured again\n", device,
          had, states.size(), profile->made);
  }
  return text;
}

std::string profiles_text(const ordered_json& devices) {
  std::string text;
  for (const auto& [device, of] : devices.items())
    if (!of.at("stands").is_null()) text += line_of(device, of);
  return text;
}

}  // namespace gpuseq::bench
