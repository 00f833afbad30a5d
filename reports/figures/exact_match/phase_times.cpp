#include "reports/figures/exact_match/phase_times.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/statistics/statistics.hpp"

namespace gpuseq::reports::exact_match {
namespace {

using Samples = std::vector<double>;

/// Null where a record has none of that name.
const Samples* samples_of(const Entry& entry, const char* name) {
  const auto found = entry.record.side_samples_s.find(name);
  return found == entry.record.side_samples_s.end() || found->second.empty() ? nullptr : &found->second;
}

double median_s(const Entry& entry, const char* name) {
  const Samples* samples = samples_of(entry, name);
  return samples ? results::median(*samples) : 0;
}

/// A later download, and what the first one took beyond it.
struct Download {
  double copying_s = 0, locking_s = 0;
};

Download download_of(const Entry& entry) {
  const Samples* samples = samples_of(entry, "download");
  if (!samples) return {};
  if (samples->size() == 1) return {samples->front(), 0};
  const double later = results::median(Samples(samples->begin() + 1, samples->end()));
  return {later, std::max(0.0, samples->front() - later)};
}

double tree_s(const Entry& entry) {
  // A tree that all states of a problem share is a fact of the problem.
  const double own = median_s(entry, "tree");
  return own > 0 ? own : number(entry.record.facts, "tree_s").value_or(0);
}

/// What tables of words have in common that are kept for one another; empty where a record uses none.
std::string tables_of(const Entry& entry) {
  const results::StateKey& state = entry.record.state;
  if (!state.point.has("prefix_letters") || !on_gpu(entry)) return "";
  return fmt::format("{} {} {} {} {} {}", entry.run, entry.device_fingerprint,
                     word(state.problem, "reference"), word(state.problem, "reference_bases"),
                     word(state.point, "prefix_letters"), word(state.point, "filter_letters"));
}

}  // namespace

const char* phase_name(Phase phase) {
  switch (phase) {
    case Phase::tree:
      return "tree";
    case Phase::words:
      return "tables of words";
    case Phase::upload_tree:
      return "tree upload";
    case Phase::queries:
      return "queries to the GPU";
    case Phase::kernel:
      return "kernel";
    case Phase::locking:
      return "locking of pages";
    case Phase::download:
      return "download";
    case Phase::listing:
      return "listing";
    case Phase::printing:
      return "printing";
  }
  return "";
}

PhaseTimes::PhaseTimes(const ReportData& data) {
  for (const Entry& entry : data.entries)
    if (const double seconds = median_s(entry, "words"); seconds > 0)
      if (const std::string tables = tables_of(entry); !tables.empty()) words_s_.emplace(tables, seconds);
}

bool PhaseTimes::words_of_another(const Entry& entry) const {
  return !samples_of(entry, "words") && words_s_.contains(tables_of(entry));
}

std::vector<PhaseTime> PhaseTimes::of(const Entry& entry) const {
  const auto shared_words = words_s_.find(tables_of(entry));
  const double own_words = median_s(entry, "words");
  const Download download = download_of(entry);
  const std::array<double, kPhases.size()> seconds{
      tree_s(entry),
      own_words > 0                    ? own_words
      : shared_words != words_s_.end() ? shared_words->second
                                       : 0,
      median_s(entry, "upload_tree"),
      median_s(entry, "strands") + median_s(entry, "sort") + median_s(entry, "upload"),
      entry.record.statistics->median_s,
      download.locking_s,
      download.copying_s,
      median_s(entry, "listing"),
      median_s(entry, "printing")};
  std::vector<PhaseTime> times;
  for (const Phase phase : kPhases)
    if (const double s = seconds[static_cast<std::size_t>(phase)]; s > 0) times.push_back({phase, s});
  return times;
}

std::string tree_words(const Entry& entry) {
  const nlohmann::json& facts = entry.record.facts;
  if (!facts.is_object() || !facts.contains("from_cache") || !facts["from_cache"].is_boolean()) return "";
  return facts["from_cache"] == true ? "from the cache" : "built";
}

}  // namespace gpuseq::reports::exact_match
