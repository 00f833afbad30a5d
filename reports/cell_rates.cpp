#include "reports/cell_rates.hpp"

#include <fmt/format.h>

namespace gpuseq::reports {

std::string place_of(const Entry& entry) {
  const auto threads = number(entry.record.state.point, "threads");
  if (on_gpu(entry) || !threads) return entry.device_name;
  if (*threads == 0) return entry.device_name + ", all threads";
  return fmt::format("{}, {} {}", entry.device_name, *threads, *threads == 1 ? "thread" : "threads");
}

chart::Tips gcups_tips(const Entry& entry) {
  const results::Statistics& statistics = *entry.record.statistics;
  chart::Tips tips = tips_of(entry, rate_of(entry), Unit::number_si);
  const chart::Tips in_gcups = tips_of(entry, rate_of(entry, 1 / kGiga), Unit::number);
  for (std::size_t i = 0; i < tips.size(); ++i)
    if (tips[i].first == "Value" || tips[i].first == "Interval")
      tips[i].second = in_gcups[i].second + " GCUPS";
  tips.emplace_back("Time", format_value(statistics.median_s, Unit::seconds));
  return tips;
}

chart::Tips gcups_tips(const Fact& fact) {
  chart::Tips tips = tips_of(fact, Unit::number);
  tips.front().second = gcups_text(fact.value);
  return tips;
}

std::string gcups_text(double gcups) {
  return format_value(gcups, Unit::number) + " GCUPS";
}

}  // namespace gpuseq::reports
