#include "bench/phases/race/why_text.hpp"

#include <fmt/format.h>

#include "bench/phases/race/contest_json.hpp"
#include "bench/phases/race/objective.hpp"
#include "runtime/io/number_text.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;

std::string rate_words(const ordered_json& winner, const char* key) {
  return with_decimal_prefix(winner[key].get<double>(), winner["rate_unit"].get<std::string>());
}

Objective objective_of(const ordered_json& winner) {
  const ordered_json& objective = winner["objective"];
  return {.metric = objective["metric"].get<std::string>(), .maximise = objective["direction"] == "max"};
}

std::string first_sentence(const ordered_json& winner) {
  std::string text =
      fmt::format("{} on {} ({}): by {} the best is {} with {}", winner["family"].get<std::string>(),
                  winner["device"].get<std::string>(),
                  winner.contains("problem_label") ? winner["problem_label"].get<std::string>()
                                                   : Point::from_json(winner["problem"]).to_string(),
                  word_of(objective_of(winner)), candidate_name(winner), rate_words(winner, "rate"));
  if (winner["rate_low"].is_number())
    text += fmt::format(" ({} to {}, {:.3g} %)", rate_words(winner, "rate_low"),
                        rate_words(winner, "rate_high"), 100 * winner["confidence"].get<double>());
  if (winner["fraction_of_bound"].is_number())
    text +=
        fmt::format(", {:.0f} % of its bound, which is {}", 100 * winner["fraction_of_bound"].get<double>(),
                    winner["bound_by"].get<std::string>());
  return text + ".";
}

/// "slow (k=1): 50 ktoys/s, 50 % as good by throughput in the same rounds"
std::string beside(const ordered_json& winner, const ordered_json& other) {
  std::string text =
      fmt::format("{}: {}", candidate_name(other),
                  with_decimal_prefix(other["rate"].get<double>(), winner["rate_unit"].get<std::string>()));
  if (!other.contains("share_of_winner")) return text;  // of older runs
  const Objective by = objective_of(winner);
  text += fmt::format(", {:.3g} % as good by {}", 100 * other["share_of_winner"].get<double>(), word_of(by));
  if (is_measured(by)) text += other["measured_again"] == true ? " in the same rounds" : " in the sweep";
  return text;
}

std::string race_sentences(const ordered_json& winner) {
  const ordered_json &race = winner["race"], &tied = winner["tied_with"], &next = winner["runners_up"];
  const bool has_next = next.size() > tied.size();
  if (race.is_null())
    return has_next ? fmt::format(" No race was run; next is {}.", beside(winner, next[0])) : "";
  std::string text = fmt::format(" {} {} raced over {} round{}", race["raced"].get<std::size_t>(),
                                 race["raced"] == 1 ? "point" : "points", race["rounds"].get<int>(),
                                 race["rounds"] == 1 ? "" : "s");
  if (!tied.empty())
    text += fmt::format(", which did not distinguish it from {}: a tie, and {}", candidate_names(tied),
                        tie_went_to(winner));
  else if (race["raced"] != 1)
    text += ", which distinguished it from all others";
  text += ".";
  if (const auto left_out = race["left_out"].get<std::size_t>(); left_out > 0)
    text += fmt::format(" The race had no place for {} more that the sweep does not distinguish.", left_out);
  return has_next ? text + fmt::format(" Next is {}.", beside(winner, next[tied.size()])) : text;
}

}  // namespace

std::string why_text(const ordered_json& winner) {
  std::string text = first_sentence(winner);
  if (const std::string memory = memory_text(winner); !memory.empty()) text += fmt::format(" It {}.", memory);
  text += race_sentences(winner);
  if (const std::string waits = waits_text(winner); !waits.empty()) {
    text += " With it " + waits + ".";
  }
  return text;
}

}  // namespace gpuseq::bench
