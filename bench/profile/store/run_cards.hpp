#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/bound/ceiling.hpp"
#include "bench/config/config.hpp"
#include "bench/plan/state.hpp"

namespace gpuseq::bench {

/// What of this machine's cards a run takes in place of measuring it. It stands in the run's folder, so that
/// the run goes on, and its ceilings can be checked, whatever becomes of the cache:
///   profile-records.jsonl  records of the cards, as in records.jsonl
///   profiles.json          by device: whose card, and what the spot check found
class RunCards {
 public:
  using Describe = std::function<const nlohmann::json&(const std::string& device)>;

  explicit RunCards(std::filesystem::path dir);

  /// Takes from the cache what its cards have of the needed states, or reads what an earlier worker took.
  /// @param may_take  whether the run, which has no record yet, may look for cards
  /// @throws UsageError where the config wants a card and there is none, or one that was refused
  void begin(std::span<const State> needed, const SuiteConfig& config, bool may_take,
             const Describe& describe);

  /// The states of the spot check's next look, from 0: all that it has, then those that differ yet.
  std::vector<State> to_check(std::span<const State> needed, std::span<const results::Record> measured,
                              int look, int repetitions) const;
  /// Says of each device whether its card or the run stands, once all looks are taken.
  /// @returns a line for people of each device that is decided now
  /// @throws UsageError where the config wants a card and it is refused
  std::vector<std::string> decide(std::span<const results::Record> measured, int repetitions,
                                  const SuiteConfig& config);

  /// Those of the needed states that no card stands for.
  std::vector<State> to_measure(std::span<const State> needed) const;
  /// The records of the cards that stand, before those that were measured.
  std::vector<results::Record> with(std::span<const results::Record> measured) const;
  /// What was measured, without the looks at points of cards that stand: those only confirm them.
  std::vector<results::Record> own(std::span<const results::Record> measured, int repetitions) const;
  bool any() const;
  /// The card of a device or, of devices that share the work, of one of them; none where none stands.
  std::optional<results::CeilingCard> card_of(const std::string& device) const;

 private:
  void take(std::span<const State> needed, const SuiteConfig& config, const Describe& describe);
  void read();
  void write() const;
  bool stands(const std::string& device) const;

  std::filesystem::path dir_;
  nlohmann::ordered_json devices_ = nlohmann::ordered_json::object();
  std::vector<results::Record> records_;
};

inline constexpr const char* kRunCardsFile = "profiles.json";
inline constexpr int kRunCardsSchema = 2;
inline constexpr const char* kCardRecordsFile = "profile-records.jsonl";

/// By device what profiles.json of a run's folder says; empty where the run took no card.
nlohmann::ordered_json cards_of_run(const std::filesystem::path& dir);

/// The records of cards that the ceilings of a run stand on, without those of refused cards.
std::vector<results::Record> card_records_of_run(const std::filesystem::path& dir);

/// Gives a record's ceiling the card that it stands on, if probes of the run alone do not say the same.
/// @param own  the ceiling by those alone
void name_source(results::Record& record, const Maybe<results::Ceiling>& own,
                 const std::optional<results::CeilingCard>& card);

/// What a run of these states would find on this machine's cards, a line a device that has one.
std::string cards_preview(std::span<const State> needed, const SuiteConfig& config);

/// A line a device: which card stands, or why none does; empty for a run that took none.
std::string cards_text(const nlohmann::ordered_json& devices);

}  // namespace gpuseq::bench
