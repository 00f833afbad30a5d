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
#include "bench/plan/needed_probes.hpp"
#include "bench/plan/state.hpp"

namespace gpuseq::bench {

/// The parts of this machine's profiles that a run uses instead of measuring them. They are stored in the
/// run's folder, so that the run can continue, and its bounds can be checked, whatever happens to the cache:
///   profile-records.jsonl  records of the profiles, as in records.jsonl
///   profiles.json          by device: the profile, and the result of the spot check
class RunProfiles {
 public:
  using Describe = std::function<const nlohmann::json&(const std::string& device)>;

  explicit RunProfiles(std::filesystem::path dir);

  /// Takes the profiles' records of the needed states from the cache, also of those that the budget does not
  /// reach, or reads those that an earlier worker took.
  /// @param may_take  whether to search for profiles, for a run without records
  /// @throws UsageError if the config requires a profile and there is none, or it was rejected
  void begin(const NeededProbes& needed, const SuiteConfig& config, bool may_take, const Describe& describe);

  /// The states of the spot check's pass `look`, from 0: first all of its states, then those that still
  /// differ.
  std::vector<State> to_check(std::span<const State> needed, std::span<const results::Record> measured,
                              int look, int repetitions) const;
  /// Decides for each device whether its profile or the run is used, once all passes are measured.
  /// @returns a line of text for each device decided now
  /// @throws UsageError if the config requires a profile and it is rejected
  std::vector<std::string> decide(std::span<const results::Record> measured, int repetitions,
                                  const SuiteConfig& config);

  /// The needed states that are not taken from a valid profile.
  std::vector<State> to_measure(std::span<const State> needed) const;
  /// The records of the valid profiles, followed by the measured ones.
  std::vector<results::Record> with(std::span<const results::Record> measured) const;
  /// The measured records, without the spot checks of valid profiles: those only confirm the profiles.
  std::vector<results::Record> own(std::span<const results::Record> measured, int repetitions) const;
  bool any() const;
  /// The profile of a device or, for devices that share the work, of one of them; nullopt if none is used.
  std::optional<results::BoundSource> profile_of(const std::string& device) const;

 private:
  void take(const NeededProbes& needed, const SuiteConfig& config, const Describe& describe);
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

/// profiles.json of a run's folder, by device; empty if the run used no profile.
nlohmann::ordered_json profiles_of_run(const std::filesystem::path& dir);

/// The profile records that the bounds of a run are based on, without those of rejected profiles.
std::vector<results::Record> profile_records_of_run(const std::filesystem::path& dir);

/// Adds to a record's bound the profile that it is based on, unless the run's own probes give the same bound.
/// @param own  the bound from the run's own probes
void name_source(results::Record& record, const Maybe<results::Bound>& own,
                 const std::optional<results::BoundSource>& profile);

/// The profiles that a run of these states would find on this machine, one line per device that has one.
std::string profiles_preview(std::span<const State> needed, const SuiteConfig& config);

/// One line per device: the profile used, or why none is; empty for a run without profiles.
std::string profiles_text(const nlohmann::ordered_json& devices);

}  // namespace gpuseq::bench
