#include "results/statistics/phases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/statistics/statistics.hpp"

namespace gpuseq::results {
namespace {

using Samples = std::vector<double>;

bool of_gpu(const Record& record) {
  return record.state.device.starts_with("cuda");
}

/// Null if a record has no samples of that name.
const Samples* samples_of(const Record& record, const char* name) {
  const auto found = record.side_samples_s.find(name);
  return found == record.side_samples_s.end() || found->second.empty() ? nullptr : &found->second;
}

double median_s(const Record& record, const char* name) {
  const Samples* samples = samples_of(record, name);
  return samples ? median(*samples) : 0;
}

/// 0 if there is no such fact.
double fact_of(const Record& record, const char* name) {
  const nlohmann::json& facts = *record.facts;
  const auto found = facts.is_object() ? facts.find(name) : facts.end();
  return found != facts.end() && found->is_number() ? found->get<double>() : 0;
}

/// The time of a later download, and the additional time of the first one.
struct Download {
  double copying_s = 0, locking_s = 0;
};

Download download_of(const Record& record) {
  const Samples* samples = samples_of(record, "download");
  if (!samples) return {};
  if (samples->size() == 1) return {samples->front(), 0};
  const double later = median(Samples(samples->begin() + 1, samples->end()));
  return {later, std::max(0.0, samples->front() - later)};
}

/// An index shared by all states of a problem is a fact of the problem.
double index_s(const Record& record) {
  for (const double seconds : {median_s(record, "tree"), fact_of(record, "tree_s")})
    if (seconds > 0) return seconds;
  return fact_of(record, "build_s") + fact_of(record, "index_build_s");
}

std::string axis_text(const Point& point, const char* axis) {
  return point.has(axis) ? to_string(point.at(axis)) : "";
}

/// Key of k-mer tables that states share; empty if a record uses none.
std::string tables_of(const Record& record, const std::string& scope) {
  const StateKey& state = record.state;
  if (!state.point.has("prefix_letters") || !of_gpu(record)) return "";
  return fmt::format("{} {} {} {} {}", scope, axis_text(state.problem, "reference"),
                     axis_text(state.problem, "reference_bases"), axis_text(state.point, "prefix_letters"),
                     axis_text(state.point, "filter_letters"));
}

const char* part_of(Phase phase) {
  switch (phase) {
    case Phase::index:
    case Phase::words:
      return "index";
    case Phase::upload_index:
    case Phase::queries:
    case Phase::locking:
    case Phase::download:
      return "transfers";
    case Phase::kernel:
      return "kernel";
    case Phase::listing:
    case Phase::printing:
      return "output";
  }
  return "";
}

/// Why the phases of a record are not a user's total waiting time; empty if they are.
std::string why_not_all(const Record& record) {
  if (!record.statistics) return "it has no samples";
  if (record.kind != "kernel") return "it is no kernel";
  if (fact_of(record, "gpus") > 0) return "copies to and from its GPUs are not timed";
  for (const char* copy : {"upload", "download"})
    if (of_gpu(record) && samples_of(record, copy) == nullptr)
      return fmt::format("its {} was not timed", copy);
  if (of_gpu(record) && fact_of(record, "index_bytes") > 0 && samples_of(record, "upload_index") == nullptr)
    return "the upload of its index was not timed";
  return "";
}

}  // namespace

void PhaseTimes::note(const Record& record, const std::string& scope) {
  if (const double seconds = median_s(record, "words"); seconds > 0)
    if (const std::string tables = tables_of(record, scope); !tables.empty())
      words_s_.emplace(tables, seconds);
}

bool PhaseTimes::words_of_another(const Record& record, const std::string& scope) const {
  return !samples_of(record, "words") && words_s_.contains(tables_of(record, scope));
}

std::vector<PhaseTime> PhaseTimes::of(const Record& record, const std::string& scope) const {
  const auto shared_words = words_s_.find(tables_of(record, scope));
  const double own_words = median_s(record, "words");
  const Download download = download_of(record);
  const std::array<double, kPhases.size()> seconds{
      index_s(record),
      own_words > 0                    ? own_words
      : shared_words != words_s_.end() ? shared_words->second
                                       : 0,
      median_s(record, "upload_tree") + median_s(record, "upload_index"),
      median_s(record, "strands") + median_s(record, "sort") + median_s(record, "upload"),
      record.statistics->median_s,
      download.locking_s,
      download.copying_s,
      median_s(record, "listing"),
      median_s(record, "printing")};
  std::vector<PhaseTime> times;
  for (const Phase phase : kPhases)
    if (const double s = seconds[static_cast<std::size_t>(phase)]; s > 0) times.push_back({phase, s});
  return times;
}

Maybe<Waits> waits_of(const Record& record, const PhaseTimes& times, const std::string& scope) {
  if (std::string reason = why_not_all(record); !reason.empty()) return {std::nullopt, std::move(reason)};
  Waits waits{.kernel_s = record.statistics->median_s};
  for (const auto& [phase, seconds] : times.of(record, scope)) {
    waits.parts[part_of(phase)] += seconds;
    waits.total_s += seconds;
  }
  return {std::move(waits), {}};
}

}  // namespace gpuseq::results
