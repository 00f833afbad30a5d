#include "reports/figures/data_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "results/statistics/statistics.hpp"

namespace gpuseq::reports {
namespace {

double median_rate(const std::vector<const Entry*>& records) {
  std::vector<double> rates;
  rates.reserve(records.size());
  for (const Entry* entry : records) rates.push_back(entry->record.statistics->rate);
  return results::median(rates);
}

double data_set_of(const Entry* entry) {
  return number(entry->record.state.problem, kDataSetAxis).value_or(0);
}

}  // namespace

std::string problem_of_alike(const Entry& entry) {
  return without(entry.record.state.problem, {kDataSetAxis});
}

std::string name_of_alike(const Entry& entry) {
  std::string name = problem_name(entry);
  const std::string suffix = fmt::format(", data set {:.0f}", data_set_of(&entry));
  if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  return name;
}

void Candidates::add(const Entry* entry) {
  const results::StateKey& state = entry->record.state;
  const std::string point = fmt::format("{} {} {} {}", entry->device_fingerprint, state.device,
                                        contestant(*entry), state.point.to_string());
  auto found = std::ranges::find(by_point_, point, &std::pair<std::string, Records>::first);
  if (found == by_point_.end()) found = by_point_.insert(found, {point, {}});
  found->second.push_back(entry);
}

std::vector<const Entry*> Candidates::fastest() const {
  const auto rank = [](const std::pair<std::string, Records>& candidate) {
    const Records& records = candidate.second;
    const bool disturbed = std::ranges::any_of(records, &Entry::disturbed);
    return std::tuple(records.size(), !disturbed, median_rate(records));
  };
  Records records = std::ranges::max_element(by_point_, {}, rank)->second;
  std::ranges::stable_sort(records, {}, data_set_of);
  return records;
}

Pool::Pool(std::vector<const Entry*> records, Rate (*value)(const Entry& entry))
    : records_(std::move(records)), typical_(records_.front()) {
  for (const Entry* entry : records_) values_.push_back(value(*entry).value);
  if (records_.size() == 1) {
    rate_ = value(*typical_);
    return;
  }
  const double median = results::median(values_);
  rate_ = {median, median, median};
  const Maybe<results::Interval> interval = results::median_interval(values_);
  if (interval.value) {
    rate_.low = interval.value->low;
    rate_.high = interval.value->high;
    is_range_ = interval.value->confidence < results::kConfidence;
    interval_ = fmt::format("{:.0f} %, over data sets", 100 * interval.value->confidence);
  }
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < values_.size(); ++i)
    if (std::abs(values_[i] - median) < std::abs(values_[nearest] - median)) nearest = i;
  typical_ = records_[nearest];
}

std::string Pool::words() const {
  return fmt::format("{} data set{}", data_sets(), data_sets() == 1 ? "" : "s");
}

chart::Tips Pool::tips(Unit unit) const {
  chart::Tips tips = tips_of(*typical_, rate_, unit);
  if (data_sets() == 1) return tips;
  // Those of the record that it is linked to, but for what is of all of them.
  std::erase_if(tips, [](const auto& tip) { return tip.first == "Interval" || tip.first == "Samples"; });
  const auto [least, most] = std::ranges::minmax(values_);
  tips.insert(tips.begin() + 1,
              {{"Interval", fmt::format("{} to {} ({})", format_value(rate_.low, unit),
                                        format_value(rate_.high, unit), interval_)},
               {"Data sets", fmt::format("{}, with {} to {}", data_sets(), format_value(least, unit),
                                         format_value(most, unit))}});
  return tips;
}

void note_data_sets(const std::vector<Pool>& pools, std::vector<std::string>& notes) {
  std::size_t most = 1;
  bool range = false;
  for (const Pool& pool : pools) {
    most = std::max(most, pool.data_sets());
    range = range || pool.is_range();
  }
  if (most == 1) return;
  notes.push_back(
      fmt::format("Of {} random data sets: the median of their medians, with its interval of 95 % over data "
                  "sets, by order statistics{}.",
                  most, range ? "; the range of those that carry none" : ""));
}

}  // namespace gpuseq::reports
