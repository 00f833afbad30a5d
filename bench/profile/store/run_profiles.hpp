#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/bound/bound.hpp"
#include "bench/config/config.hpp"
#include "bench/plan/state.hpp"

namespace gpuseq::bench {

/// What of this machine's profiles a run takes in place of measuring it. It stands in the run's folder, so
/// that the run goes on, and its bounds can be checked, whatever becomes of the cache:
///   profile-records.jsonl  records of the profiles, as in records.jsonl
///   profiles.json          by device: whose profile, and what the spot check found
class RunProfiles {
 public:
  using Describe = std::function<const nlohmann::json&(const std::string& device)>;

  explicit RunProfiles(std::filesystem::path dir);

  /// Takes from the cache what its profiles have of the needed states, or reads what an earlier worker took.
  /// @param may_take  whether the run, which has no record yet, may look for profiles
  /// @throws UsageError where the config wants a profile and there is none, or one that was refused
  void begin(std::span<const State> needed, const SuiteConfig& config, bool may_take,
             const Describe& describe);

  /// The states of the spot check's next look, from 0: all that it has, then those that differ yet.
  std::vector<State> to_check(std::span<const State> needed, std::span<const results::Record> measured,
                              int look, int repetitions) const;
  /// Says of each device whether its profile or the run stands, once all looks are taken.
  /// @returns a line for people of each device that is decided now
  /// @throws UsageError where the config wants a profile and it is refused
  std::vector<std::string> decide(std::span<const results::Record> measured, int repetitions,
                                  const SuiteConfig& config);

  /// Those of the needed states that no profile stands for.
  std::vector<State> to_measure(std::span<const State> needed) const;
  /// The records of the profiles that stand, before those that were measured.
  std::vector<results::Record> with(std::span<const results::Record> measured) const;
  /// What was measured, without the looks at points of profiles that stand: those only confirm them.
  std::vector<results::Record> own(std::span<const results::Record> measured, int repetitions) const;
  bool any() const;
  /// The profile of a device or, of devices that share the work, of one of them; none where none stands.
  std::optional<results::BoundSource> profile_of(const std::string& device) const;

 private:
  void take(std::span<const State> needed, const SuiteConfig& config, const Describe& describe);
  void read();
  void write() const;
  bool stands(const std::string& device) const;

  std::filesystem::path dir_;
  nlohmann::ordered_json devices_ = nlohmann::ordered_json::object();
  std::vector<results::Record> records_;
};

inline constexpr const char* kRunProfilesFile = "profiles.json";
inline constexpr int kRunProfilesSchema = 2;
inline constexpr const char* kProfileRecordsFile = "profile-records.jsonl";

/// By device what profiles.json of a run's folder says; empty where the run took no profile.
nlohmann::ordered_json profiles_of_run(const std::filesystem::path& dir);

/// The records of profiles that the bounds of a run stand on, without those of refused profiles.
std::vector<results::Record> profile_records_of_run(const std::filesystem::path& dir);

/// Gives a record's bound the profile that it stands on, if probes of the run alone do not say the same.
/// @param own  the bound by those alone
void name_source(results::Record& record, const Maybe<results::Bound>& own,
                 const std::optional<results::BoundSource>& profile);

/// What a run of these states would find on this machine's profiles, a line a device that has one.
std::string profiles_preview(std::span<const State> needed, const SuiteConfig& config);

/// A line a device: which profile stands, or why none does; empty for a run that took none.
std::string profiles_text(const nlohmann::ordered_json& devices);

}  // namespace gpuseq::bench
