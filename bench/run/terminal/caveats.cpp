#include "bench/run/terminal/caveats.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/phases/race/contest_json.hpp"
#include "bench/run/terminal/wrapped_rows.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/contract/binding_resource.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;

constexpr double kDisturbs = 0.02;  // of the processors' time: so much shows in times

std::string samples_caveat(const ordered_json& candidate) {
  const auto samples = candidate["samples"].get<std::size_t>();
  if (!candidate["confidence"].is_number())
    return fmt::format("no interval: {}", candidate.value("interval_reason", "too few samples"));
  const double confidence = candidate["confidence"].get<double>();
  if (confidence >= results::kConfidence) return "";
  if (const auto rounds = candidate.value("rounds", std::size_t{1}); rounds > 1)
    return fmt::format("its {} rounds disagree, so the interval holds at {:.0f} %", rounds, 100 * confidence);
  return fmt::format("few samples: {}, so the interval holds at {:.0f} %", samples, 100 * confidence);
}

std::string bound_caveat(const ordered_json& candidate) {
  const ordered_json& fraction = candidate["fraction_of_bound"];
  if (fraction.is_null())
    return "no bound: " + candidate.value("fraction_of_bound_reason", "no reason is recorded");
  return fraction.get<double>() > kViolatedFraction
             ? "above its bound, which is violated: the probes behind it "
               "or the counted work are wrong"
             : "";
}

std::string tie_caveat(const ordered_json& candidate) {
  const ordered_json tied = candidate.value("tied_with", ordered_json::array());
  if (tied.empty()) return "";
  return fmt::format("a tie: the race did not distinguish it from {}; {}", candidate_names(tied),
                     tie_went_to(candidate));
}

std::string size_caveat(const ordered_json& candidate) {
  const auto filling = candidate.find("fills_device");
  if (filling == candidate.end() || !filling->is_object()) return "";
  const ordered_json fills = filling->value("fills", ordered_json());
  const std::string reason = filling->value("reason", "");
  if (fills == false) return "too small to fill the device: " + reason;
  return fills.is_null() && reason.find("limited by") != std::string::npos
             ? "perhaps too small to fill the device: " + reason
             : "";
}

/// A CPU's times depend on the other programs that run on it.
std::string disturbed_caveat(const ordered_json& summary, const std::string& device) {
  if (device != "cpu" || !summary.contains("host_load")) return "";
  const ordered_json& load = summary["host_load"];
  const double others = load.value("others_share", 0.0), steal = load.value("steal_share", 0.0);
  if (std::max(others, steal) <= kDisturbs) return "";
  return fmt::format("disturbed: {} took {:.0f} % of the processors' time",
                     others >= steal ? "other processes" : "other guests of this machine's host",
                     100 * std::max(others, steal));
}

}  // namespace

char Caveats::letter_of(const std::string& meaning) {
  auto found = std::ranges::find(meanings_, meaning);
  if (found == meanings_.end()) found = meanings_.insert(meanings_.end(), meaning);
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
  const auto place = static_cast<std::size_t>(found - meanings_.begin());
  return place < kLetters.size() ? kLetters[place] : '*';
}

std::string Caveats::letters(const ordered_json& candidate, const std::string& device) {
  std::string letters;
  for (const std::string& meaning :
       {samples_caveat(candidate), bound_caveat(candidate), tie_caveat(candidate), size_caveat(candidate),
        disturbed_caveat(summary_, device)})
    if (!meaning.empty()) letters += letter_of(meaning);
  return letters;
}

std::string Caveats::text(const Terminal& terminal) const {
  constexpr std::size_t kIndent = 7;  // of the letter and the blanks around it
  std::string text;
  char letter = 'a';
  for (const std::string& meaning : meanings_)
    text += fmt::format("    {}  {}\n",
                        terminal.paint(Ink::yellow, std::string(1, letter < '{' ? letter++ : '*')),
                        wrapped_text(meaning, terminal.width(), kIndent));
  return text;
}

}  // namespace gpuseq::bench
