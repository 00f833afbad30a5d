#include "reports/comparison/disturbed.hpp"

#include <algorithm>

namespace gpuseq::comparison {

WitnessBests::WitnessBests(std::initializer_list<const Side*> sides) {
  for (const Side* side : sides)
    for (const auto& process : side->processes)
      for (const ComparedRecord& record : process)
        if (const auto& witness = record.witness) {
          const auto [best, is_new] =
              best_s_.try_emplace({record.state.device, witness->threads}, witness->best_s);
          best->second = std::min(best->second, witness->best_s);
        }
}

std::optional<bool> WitnessBests::are_disturbed(std::span<const ComparedRecord* const> records) const {
  if (!std::ranges::all_of(records, [](const ComparedRecord* record) { return record->witness.has_value(); }))
    return std::nullopt;
  return std::ranges::all_of(records, [&](const ComparedRecord* record) {
    const results::WitnessTimes& witness = *record->witness;
    return witness.slowdown * witness.best_s >=
           results::WitnessTimes::kDisturbed * best_s_.at({record->state.device, witness.threads});
  });
}

}  // namespace gpuseq::comparison
