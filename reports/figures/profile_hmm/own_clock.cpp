#include "reports/figures/profile_hmm/own_clock.hpp"

#include <algorithm>

#include "results/statistics/statistics.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

constexpr const char* kOwn = "own";  // side samples of a peer that prints its seconds

bool are_samples(const std::vector<double>& seconds) {
  return !seconds.empty() && std::ranges::all_of(seconds, [](double s) {
    return s >= results::kLeastSampleS && s <= results::kMostSampleS;
  });
}

}  // namespace

std::optional<Entry> by_own_clock(const Entry& peer) {
  const auto& samples = peer.record.side_samples_s;
  const auto own = samples.find(kOwn);
  if (own == samples.end() || !are_samples(own->second)) return std::nullopt;
  Entry entry = peer;
  entry.record.statistics = results::summarise(own->second, peer.record.work, results::kConfidence, "");
  return entry;
}

std::string program_of(const Entry& peer) {
  const std::string version = text(peer.record.facts, "program_version");
  return version.empty() || version == "unknown" ? peer.record.state.variant : version;
}

chart::Tips own_clock_tips(const Entry& by_own_clock, const Entry& peer) {
  chart::Tips tips = gcups_tips(by_own_clock);
  for (auto& [name, value] : tips)
    if (name == "Variant") value = peer.record.state.variant + " (by its own clock)";
  tips.emplace_back("Whole process", format_value(peer.record.statistics->median_s, Unit::seconds));
  return tips;
}

}  // namespace gpuseq::reports::profile_hmm
