#include "bench/phases/winners/keep_winners.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/phases/winners/winner_store.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using results::Record;

using Measured = std::vector<std::pair<std::string, Point>>;

bool beat_its_default(const KeptWinner& winner, const Measured& measured, const Registry& registry) {
  const auto& variants = registry.shared_family(winner.family)->variants();
  const auto variant = std::ranges::find(variants, winner.variant, &Variant::name);
  if (variant == variants.end()) return false;  // a plugin, which later runs may not have
  return std::ranges::find(measured, std::pair(winner.variant, variant->space.complete({}))) !=
         measured.end();
}

}  // namespace

std::vector<std::string> keep_winners(const ordered_json& tuned, std::span<const Record> records,
                                      const SuiteConfig& config, const Registry& registry) {
  std::vector<std::string> remarks;
  if (config.cache_dir.empty() || config.sampling.cold_cache || config.device_memory) return remarks;
  const WinnerStore store(config.cache_dir);
  for (const KeptWinner& winner : winners_from(tuned.dump(), "tuned.json")) {
    const Measured measured = measured_beside(winner.json, records);
    if (winner.json["race"].is_null() || !beat_its_default(winner, measured, registry)) continue;
    const ProfileKey key{nlohmann::json(tuned["machines"][winner.machine])};
    if (const std::string reason = store.add(key, winner, measured); !reason.empty())
      remarks.push_back(fmt::format("the winner of {} could not be kept: {}", winner.family, reason));
  }
  return remarks;
}

}  // namespace gpuseq::bench
