#include "reports/figures/profile_hmm/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "reports/figures/profile_hmm/points.hpp"
#include "reports/terms.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

/// Axes of a problem that say which model it is; its length is a fact of the record where it is of a file.
constexpr const char *kModels = "models", *kModelLength = "model_length";

bool ends_in_the_pipeline(const results::Record& record) {
  return record.kind == "tool" && std::ranges::find(kEnds, record.state.variant) != kEnds.end();
}

/// A median with how far its interval goes down and up.
struct Median {
  double seconds = 0, below = 0, above = 0;
};

Median median_of(const Entry& entry) {
  const results::Statistics& statistics = *entry.record.statistics;
  const double median = statistics.median_s;
  return {median, median - statistics.low_s.value_or(median), statistics.high_s.value_or(median) - median};
}

std::string model_of(const Entry& entry) {
  const auto length = model_length_of(entry);
  const std::string models = word(entry.record.state.problem, kModels);
  return length ? fmt::format("{}, {} states", models, *length) : models;
}

std::string place_words(const Entry& entry) {
  const auto count = number(entry.record.facts, "sequence_count");
  const std::string threads = axis_text(entry, "threads");
  return fmt::format("{}{}, {}sequences of {}", entry.device_name,
                     threads.empty() ? "" : ", " + thread_words(threads),
                     count ? fmt::format("{} ", *count) : "", word(entry.record.state.problem, "sequences"));
}

using PlaceKey = std::tuple<std::string, std::string, std::string>;  // device, threads, rest of the problem
using ModelKey = std::pair<double, std::string>;                     // length, name

}  // namespace

const Entry* Pipeline::run(std::string_view variant) const {
  const auto found = runs.find(std::string(variant));
  return found == runs.end() ? nullptr : found->second;
}

std::optional<double> Pipeline::passed(const Filter& filter) const {
  const nlohmann::json& facts = whole().record.facts;
  if (!facts.is_object() || !facts.contains("answers")) return std::nullopt;
  const auto count = number(facts, "sequence_count"), passing = number(facts["answers"], filter.answer);
  if (!count || !passing || !(*count > 0)) return std::nullopt;
  return *passing / *count;
}

std::optional<Rate> Pipeline::time(const Stage& stage) const {
  const bool first = std::string_view(stage.from).empty();
  const Entry *from = run(stage.from), *to = run(stage.to);
  if (!to || (!first && !from)) return std::nullopt;
  const Median before = first ? Median{} : median_of(*from), after = median_of(*to);
  const double all = median_of(whole()).seconds, taken = after.seconds - before.seconds;
  return Rate{.value = taken / all,
              .low = (taken - std::hypot(after.below, before.above)) / all,
              .high = (taken + std::hypot(after.above, before.below)) / all};
}

std::vector<PipelinesOfPlace> pipelines_of(const ReportData& data) {
  std::map<PlaceKey, std::map<ModelKey, Pipeline>> places;
  for (const Entry* entry : data.settled("profile_hmm", Contestants::with_peers, ends_in_the_pipeline)) {
    const results::StateKey& state = entry->record.state;
    if (word(state.problem, kModels).empty()) continue;
    Pipeline& pipeline = places[{entry->device_name, axis_text(*entry, "threads"),
                                 without(state.problem, {kModels, kModelLength})}]
                               [{model_length_of(*entry).value_or(0), model_of(*entry)}];
    pipeline.model = model_of(*entry);
    keep_fastest(pipeline.runs, state.variant, entry);
  }
  std::vector<PipelinesOfPlace> list;
  for (auto& [key, models] : places) {
    PipelinesOfPlace place;
    for (auto& [model, pipeline] : models)
      if (pipeline.run(kWhole) && pipeline.runs.size() > 1) place.pipelines.push_back(std::move(pipeline));
    if (place.pipelines.empty()) continue;
    place.words = place_words(place.pipelines.front().whole());
    list.push_back(std::move(place));
  }
  return list;
}

}  // namespace gpuseq::reports::profile_hmm
