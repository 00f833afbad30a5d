#include "bench/phases/race/objective.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

using results::PhaseTimes;
using results::Record;

/// @returns NaN where a record has none
using Read = double (*)(const Record&, const PhaseTimes&);

double number_in(const nlohmann::json& holder, const char* name) {
  const auto found = holder.is_object() ? holder.find(name) : holder.end();
  return found != holder.end() && found->is_number() ? found->get<double>() : NAN;
}

double held_of(const Record& record, const PhaseTimes&) {
  return record.memory.value ? static_cast<double>(record.memory.value->bytes()) : NAN;
}

double waits_of(const Record& record, const PhaseTimes& times) {
  const Maybe<results::Waits> waits = results::waits_of(record, times, record.state.device);
  return waits.value ? waits.value->total_s : NAN;
}

double per_joule(const Record& record, const PhaseTimes&) {
  return record.energy.value ? number_in(*record.energy.value, "work_per_joule") : NAN;
}

struct Metric {
  std::string_view word, name;
  bool maximise, measured;
  Read read;
};

constexpr std::array kMetrics{
    Metric{"throughput", "rate", true, true,
           [](const Record& record, const PhaseTimes&) { return record.statistics->rate; }},
    Metric{"energy", "work_per_joule", true, true, per_joule},
    Metric{"memory", "memory_bytes", false, false, held_of},
    Metric{"time_to_solution", "time_to_solution_s", false, true, waits_of},
    Metric{"bits_per_base", "bits_per_base", false, false, [](const Record& record, const PhaseTimes&) {
             return number_in(*record.facts, "bits_per_base");
           }}};

constexpr std::array kWords = [] {
  std::array<std::string_view, kMetrics.size()> words{};
  for (std::size_t i = 0; i < kMetrics.size(); ++i) words[i] = kMetrics[i].word;
  return words;
}();

const Metric* find(const Objective& objective) {
  const auto* const found = std::ranges::find(kMetrics, objective.metric, &Metric::name);
  return found == kMetrics.end() ? nullptr : found;
}

}  // namespace

PhaseTimes phase_times_of(std::span<const Record> records) {
  PhaseTimes times;
  for (const Record& record : records) times.note(record, record.state.device);
  return times;
}

std::optional<double> metric_of(const Record& record, const Objective& objective, const PhaseTimes& times) {
  const Metric* const metric = find(objective);
  if (metric == nullptr || record.kind != "kernel" || record.status != results::Status::ok ||
      !record.statistics || !(record.statistics->rate > 0))
    return std::nullopt;
  const double value = metric->read(record, times);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> score_of(const Record& record, const Objective& objective, const PhaseTimes& times) {
  const std::optional<double> metric = metric_of(record, objective, times);
  if (!metric || !(*metric > 0)) return std::nullopt;
  return objective.maximise ? *metric : 1 / *metric;
}

bool is_measured(const Objective& objective) {
  const Metric* const metric = find(objective);
  return metric != nullptr && metric->measured;
}

std::span<const std::string_view> objective_words() {
  return kWords;
}

Objective objective_of_word(std::string_view word) {
  const auto* const found = std::ranges::find(kMetrics, word, &Metric::word);
  if (found == kMetrics.end())
    throw UsageError(fmt::format("no objective \"{}\"; allowed: {}, or two of them as a:b", word,
                                 fmt::join(kWords, ", ")));
  return {.metric = std::string(found->name), .maximise = found->maximise};
}

std::string word_of(const Objective& objective) {
  const Metric* const metric = find(objective);
  if (metric != nullptr && metric->maximise == objective.maximise) return std::string(metric->word);
  return fmt::format("{} {}", objective.maximise ? "most" : "least", objective.metric);
}

std::vector<Objective> objectives_of_words(std::string_view words) {
  const std::size_t colon = words.find(':');
  std::vector<Objective> objectives{objective_of_word(words.substr(0, colon))};
  if (colon == std::string_view::npos) return objectives;
  objectives.push_back(objective_of_word(words.substr(colon + 1)));
  if (objectives[0].metric == objectives[1].metric)
    throw UsageError(
        fmt::format("the objectives {} are the same; allowed: two of {}", words, fmt::join(kWords, ", ")));
  return objectives;
}

}  // namespace gpuseq::bench
