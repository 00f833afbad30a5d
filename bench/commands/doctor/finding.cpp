#include "bench/commands/doctor/finding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/text/printable.hpp"

namespace gpuseq::bench {
namespace {

const char* word_of(Health state) {
  return state == Health::ok ? "ok" : state == Health::warning ? "warning" : "missing";
}

}  // namespace

bool can_measure(std::span<const Finding> findings) {
  return std::ranges::none_of(findings,
                              [](const Finding& one) { return one.needed && one.state == Health::missing; });
}

std::string findings_text(std::span<const Finding> findings) {
  std::size_t width = 0;
  for (const Finding& one : findings) width = std::max(width, one.name.size());
  std::string text;
  for (const Finding& one : findings) {
    text += fmt::format("{:<7}  {:<{}}  {}\n", word_of(one.state), one.name, width, printable(one.found));
    if (!one.remedy.empty())
      text += fmt::format("{:<7}  {:<{}}  remedy: {}\n", "", "", width, printable(one.remedy));
  }
  const auto count = [&](Health state) { return std::ranges::count(findings, state, &Finding::state); };
  return text + fmt::format("\n{}; {} ok, {} with a warning, {} missing\n",
                            can_measure(findings) ? "Runs can be measured" : "Runs cannot be measured",
                            count(Health::ok), count(Health::warning), count(Health::missing));
}

nlohmann::ordered_json findings_json(std::span<const Finding> findings) {
  nlohmann::ordered_json json{{"can_measure", can_measure(findings)},
                              {"findings", nlohmann::ordered_json::array()}};
  for (const Finding& one : findings)
    json["findings"].push_back(
        {{"name", one.name},
         {"state", word_of(one.state)},
         {"found", one.found},
         {"remedy", one.remedy.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(one.remedy)},
         {"needed", one.needed}});
  return json;
}

}  // namespace gpuseq::bench
