#include "reports/figures/exact_match/phase_times.hpp"

#include <fmt/format.h>

namespace gpuseq::reports::exact_match {
namespace {

std::string scope_of(const Entry& entry) {
  return fmt::format("{} {}", entry.run, entry.device_fingerprint);
}

}  // namespace

const char* phase_name(Phase phase) {
  switch (phase) {
    case Phase::index:
      return "tree";
    case Phase::words:
      return "tables of words";
    case Phase::upload_index:
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
  for (const Entry& entry : data.entries) times_.note(entry.record, scope_of(entry));
}

bool PhaseTimes::words_of_another(const Entry& entry) const {
  return times_.words_of_another(entry.record, scope_of(entry));
}

std::vector<PhaseTime> PhaseTimes::of(const Entry& entry) const {
  return times_.of(entry.record, scope_of(entry));
}

std::string tree_words(const Entry& entry) {
  const nlohmann::json& facts = entry.record.facts;
  if (!facts.is_object() || !facts.contains("from_cache") || !facts["from_cache"].is_boolean()) return "";
  return facts["from_cache"] == true ? "from the cache" : "built";
}

}  // namespace gpuseq::reports::exact_match
