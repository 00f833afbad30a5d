#include "bench/contest/why_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/contest/contest_json.hpp"
#include "bench/contest/objective.hpp"
#include "runtime/io/number_text.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;

std::string rate_words(const ordered_json& winner, const char* key) {
  return with_decimal_prefix(winner[key].get<double>(), winner["rate_unit"].get<std::string>());
}

std::string first_sentence(const ordered_json& winner) {
  const ordered_json& objective = winner["objective"];
  const Objective by{.metric = objective["metric"].get<std::string>(),
                     .maximise = objective["direction"] == "max"};
  std::string text =
      fmt::format("{} on {} ({}): by {} the best is {} with {}", winner["family"].get<std::string>(),
                  winner["device"].get<std::string>(),
                  winner.contains("problem_label") ? winner["problem_label"].get<std::string>()
                                                   : Point::from_json(winner["problem"]).to_string(),
                  word_of(by), candidate_name(winner), rate_words(winner, "rate"));
  if (winner["rate_low"].is_number())
    text += fmt::format(" ({} to {}, {:.3g} %)", rate_words(winner, "rate_low"),
                        rate_words(winner, "rate_high"), 100 * winner["confidence"].get<double>());
  if (winner["fraction_of_ceiling"].is_number())
    text +=
        fmt::format(", {:.0f} % of its ceiling, which is {}",
                    100 * winner["fraction_of_ceiling"].get<double>(), winner["bound_by"].get<std::string>());
  return text + ".";
}

std::string names(const ordered_json& candidates) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> some;
  for (const ordered_json& one : candidates) {
    if (some.size() == kMost) break;
    some.push_back(candidate_name(one));
  }
  std::string text = fmt::format("{}", fmt::join(some, ", "));
  if (candidates.size() > kMost) text += fmt::format(" and {} more", candidates.size() - kMost);
  return text;
}

std::string race_sentences(const ordered_json& winner) {
  const ordered_json &race = winner["race"], &tied = winner["tied_with"], &next = winner["runners_up"];
  if (race.is_null())
    return next.empty() ? "" : fmt::format(" No race was run; next is {}.", candidate_name(next[0]));
  std::string text = fmt::format(" {} {} raced over {} round{}", race["raced"].get<std::size_t>(),
                                 race["raced"] == 1 ? "point" : "points", race["rounds"].get<int>(),
                                 race["rounds"] == 1 ? "" : "s");
  if (!tied.empty())
    text +=
        fmt::format(", which did not tell it apart from {}: a tie, and {}", names(tied),
                    winner["memory"].is_object() ? "it holds the least of them" : "none says what it holds");
  else if (race["raced"] != 1)
    text += ", which told it apart from all others";
  text += ".";
  if (const auto left_out = race["left_out"].get<std::size_t>(); left_out > 0)
    text += fmt::format(" For {} more that the sweep does not tell apart there was no room.", left_out);
  if (next.size() > tied.size()) text += fmt::format(" Next is {}", candidate_name(next[tied.size()]));
  return next.size() > tied.size()
             ? text + fmt::format(", {}.", rate_words({{"rate", next[tied.size()]["rate"]},
                                                       {"rate_unit", winner["rate_unit"]}},
                                                      "rate"))
             : text;
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
