#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "reports/figure_tools.hpp"

/// hmmsearch's pipeline, taken apart by runs of it that end after one filter each.
namespace gpuseq::reports::profile_hmm {

/// Peers by where they end, in the order of the pipeline.
inline constexpr const char *kAfterMsv = "hmmsearch_msv", *kAfterViterbi = "hmmsearch_viterbi",
                            *kAfterForward = "hmmsearch_forward", *kWhole = "hmmsearch";
inline constexpr std::array kEnds{kAfterMsv, kAfterViterbi, kAfterForward, kWhole};

/// What a filter lets through.
struct Filter {
  const char* row;
  const char* answer;  // in the facts of the whole run
  const char* stage;   // at which the paper states it; empty: it does not
};
inline constexpr std::array kPipelineFilters{Filter{"MSV", "MSV", "msv"}, Filter{"bias", "bias", ""},
                                             Filter{"Viterbi", "Vit", "viterbi"},
                                             Filter{"Forward", "Fwd", ""}};

/// What is done between two ends.
struct Stage {
  const char* row;
  const char* from;   // the end before; empty: the start of the process
  const char* to;     // its own end
  const char* stage;  // at which the paper states it; empty: it does not
};
inline constexpr std::array kStages{
    Stage{"start, files, MSV", "", kAfterMsv, "msv"},
    Stage{"bias, Viterbi", kAfterMsv, kAfterViterbi, "viterbi"},
    Stage{"forward, backward", kAfterViterbi, kWhole, "forward"},
    Stage{"of this, Forward", kAfterViterbi, kAfterForward, ""},
    Stage{"of this, the rest", kAfterForward, kWhole, ""},
};

/// A model's runs by their variant: the whole one, and at least one that ends earlier.
struct Pipeline {
  std::string model = {};  // "globins, 149 states"
  std::map<std::string, const Entry*> runs = {};

  /// Null where there is no record of it.
  const Entry* run(std::string_view variant) const;
  const Entry& whole() const { return *runs.find(kWhole)->second; }
  /// Share of the sequences that a filter lets through, if the record says so.
  std::optional<double> passed(const Filter& filter) const;
  /// Share of the whole run's time, which is below zero where the later run was the faster one. Its interval
  /// is that of a difference of independent medians. None where a run is missing.
  std::optional<Rate> time(const Stage& stage) const;
};

/// Pipelines of one device, number of threads and set of sequences; small models first.
struct PipelinesOfPlace {
  std::string words = {};  // "AMD EPYC, 1 thread, 20000 sequences of proteins"
  std::vector<Pipeline> pipelines = {};
};
std::vector<PipelinesOfPlace> pipelines_of(const ReportData& data);

}  // namespace gpuseq::reports::profile_hmm
