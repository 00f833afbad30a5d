#include "bench/commands/reproductions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/contract/errors.hpp"
#include "runtime/contract/nearest_word.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;

constexpr Beside kCeilings{.ceilings = true}, kCounters{.counters = true}, kEnergy{.energy = true};

// Kernels of the FM-index with counters at every d-th base.
constexpr std::string_view kSampledOneStep =
    "^fm_index/(scalar|prefetch|simd|task_parallel|memory_coop|full_coop)[^/]*/[^/]*/k=1,";
// Kernels on GPUs: what these figures compare, processors have not.
constexpr std::string_view kOfGpus = "^fm_index/(task_parallel|memory_coop|full_coop|one_hot/)";
constexpr std::string_view kOfRealTexts =
    "^fm_index/(task_parallel_split|full_cooperative|one_hot|elias_fano|psi_lines|verify)/";
// The paper's loop and kernels and the two fastest later ones, over the number of instances.
constexpr std::string_view kOverInstances =
    "^pairwise_distance/(appendix|naive|coalesced|char4|register|"
    "shared|register_tiled|tensor)/.*data_set=0/";
constexpr std::string_view kThreadSweep =
    "^fm_index/(task_parallel|memory_coop|full_coop)[^/]*/[^/]*/k=1,d=64,.*prefix_symbols=(0|8),";

std::vector<Reproduction> rows() {
  return {
      {"suite/devices", "fm-index-gpu.json", "h200-fm-index", {"fm_index"}},
      {"suite/sizes",
       "quick.json",
       "h200-first-look",
       {"fm_index", "papara", "profile_hmm", "pairwise_distance", "exact_match"}},
      {"suite/roofline",
       "fm-index-gpu.json",
       "h200-fm-index",
       {"fm_index"},
       {"random_access"},
       "",
       kCeilings},
      {"suite/why",
       "counters.json",
       "h100-why",
       {"fm_index", "papara", "profile_hmm", "pairwise_distance", "exact_match"},
       {},
       "",
       {.ceilings = true, .counters = true}},
      {"suite/energy", "paper/fm-index-energy.json", "h200-energy", {"fm_index"}, {}, "", kEnergy},
      {"suite/surface", "fm-index-gpu.json", "h200-fm-index", {}, {"random_access"}, "^random_access/"},
      {"random-access/lines", "fm-index-gpu.json", "h200-fm-index", {}, {"random_access"}, "^random_access/"},
      {"latency", "fm-index-gpu.json", "h200-fm-index", {}, {"latency"}},
      {"probes/loaded-latency", "machine/quick.json", "h200-machine", {}, {"loaded_latency"}},
      {"probes/occupancy", "machine/quick.json", "h200-first-look", {}, {"random_access"}},
      {"sequential", "fm-index-gpu.json", "h200-fm-index", {}, {"sequential"}},
      {"probes/transfer", "machine/quick.json", "h200-machine", {}, {"transfer"}},
      {"probes/peer-access", "machine/quick.json", "h200-neighbours", {}, {"peer_access"}},
      {"probes/knees", "fm-index-gpu.json", "h200-fm-index", {}, {"latency", "random_access"}},
      {"probes/instruction_throughput", "fm-index-gpu.json", "h200-fm-index", {}, {"instruction_throughput"}},
      {"fm-index/orders", "fm-index-orders.json", "h200-fm-index-orders", {"fm_index"}},
      {"fm-index/occurring", "fm-index-real.json", "h200-fm-index-real", {"fm_index"}, {}, kOfRealTexts},
      {"fm-index/ladder", "paper/fm-index.json", "h200-fm-index-schemes", {"fm_index"}},
      {"fm-index/memory", "fm-index-gpu.json", "h200-fm-index", {"fm_index"}},
      {"fm-index/table1", "machine/quick.json", "h200-machine", {}, {"sequential"}},
      {"fm-index/fig2", "fm-index-gpu.json", "h200-fm-index", {"fm_index"}, {}, "reference_bases=10000000,"},
      {"fm-index/fig3", "fm-index-gpu.json", "h200-fm-index", {}, {"random_access"}, "^random_access/"},
      {"fm-index/fig5", "fm-index-gpu.json", "h200-fm-index", {"fm_index"}},
      {"fm-index/fig6", "fm-index-gpu.json", "h200-fm-index", {"fm_index"}, {}, kThreadSweep},
      {"fm-index/fig7", "fm-index-gpu.json", "h200-fm-index", {"fm_index"}, {}, kOfGpus},
      {"fm-index/fig8", "fm-index-gpu.json", "h200-fm-index", {"fm_index"}, {}, kSampledOneStep},
      {"fm-index/fig9", "fm-index-gpu.json", "h200-fm-index", {"fm_index"}},
      {"fm-index/fig10", "fm-index-gpu.json", "h200-fm-index", {}, {"random_access"}, "block_bytes=128,"},
      {"fm-index/fig11", "paper/fm-index-energy.json", "h200-energy", {"fm_index"}, {}, "", kEnergy},
      {"fm-index/table2", "fm-index-gpu.json", "h200-fm-index", {"fm_index"}, {}, kOfGpus, kCounters},
      {"fm-index/ceiling",
       "fm-index-gpu.json",
       "h200-fm-index",
       {"fm_index"},
       {"random_access"},
       "",
       kCeilings},
      {"fm-locate/rates", "fm-locate-mismatch.json", "h200-fm-locate", {"fm_locate"}, {}, "", kCeilings},
      {"papara/table1",
       "papara-gpu.json",
       "h200-papara",
       {"papara"},
       {},
       "/(blocked|row_wise|sequential).*query_count=1250,"},
      {"papara/table2",
       "papara-gpu.json",
       "h200-papara",
       {"papara"},
       {},
       "/(blocked|row_wise|sequential).*references=320,sites=5000,"},
      {"papara/table3", "papara-gpu.json", "h200-papara", {"papara"}},
      {"papara/arithmetic",
       "papara-gpu.json",
       "h200-papara",
       {"papara"},
       {},
       "/(blocked|row_wise|sequential)"},
      {"papara/ladder",
       "paper/papara.json",
       "h200-papara-ladder",
       {"papara"},
       {},
       "/(blocked_shared|blocked_registers).*references=320,sites=5000,query_count=1250,"},
      {"profile-hmm/fig2",
       "paper/profile-hmm-pipeline.json",
       "h200-profile-hmm-pipeline",
       {"profile_hmm"},
       {},
       "^profile_hmm/hmmsearch"},
      {"profile-hmm/fig13", "profile-hmm-gpu.json", "h200-profile-hmm", {"profile_hmm"}, {}, "/filter=ssv,"},
      {"profile-hmm/fig12", "profile-hmm-gpu.json", "h200-profile-hmm", {"profile_hmm"}, {}, "/filter=msv,"},
      {"profile-hmm/fig14",
       "profile-hmm-gpu.json",
       "h200-profile-hmm",
       {"profile_hmm"},
       {},
       "/filter=viterbi,"},
      {"profile-hmm/table3",
       "paper/profile-hmm-rows.json",
       "h200-profile-hmm-rows",
       {"profile_hmm"},
       {},
       "/filter=(ssv|msv),"},
      {"profile-hmm/table4",
       "paper/profile-hmm-rows.json",
       "h200-profile-hmm-rows",
       {"profile_hmm"},
       {},
       "/filter=viterbi,",
       kCounters},
      {"profile-hmm/fig10",
       "paper/profile-hmm-rows.json",
       "h200-profile-hmm-rows",
       {"profile_hmm"},
       {},
       "/filter=ssv,"},
      {"profile-hmm/fig9",
       "paper/profile-hmm-rows.json",
       "h200-profile-hmm-rows",
       {"profile_hmm"},
       {},
       "/filter=msv,"},
      {"profile-hmm/fig11",
       "paper/profile-hmm-rows.json",
       "h200-profile-hmm-rows",
       {"profile_hmm"},
       {},
       "/filter=viterbi,"},
      {"profile-hmm/ladder",
       "paper/profile-hmm.json",
       "h200-profile-hmm-ladder",
       {"profile_hmm"},
       {},
       "^profile_hmm/video_warp/"},
      {"profile-hmm/table2", "paper/profile-hmm-rows.json", "h200-profile-hmm-rows", {"profile_hmm"}},
      {"pairwise-distance/fig4",
       "paper/pairwise-distance.json",
       "h200-pairwise-distance-paper",
       {"pairwise_distance"},
       {"launch"},
       "^launch/|instance_count=112,"},
      {"pairwise-distance/rates",
       "pairwise-distance-gpu.json",
       "h200-pairwise-distance",
       {"pairwise_distance"},
       {},
       "/metric=hamming,"},
      {"pairwise-distance/sizes",
       "paper/pairwise-distance.json",
       "h200-pairwise-distance-sizes",
       {"pairwise_distance"},
       {},
       kOverInstances},
      {"exact-match/speedup", "paper/exact-match.json", "h200-exact-match-paper", {"exact_match"}},
      {"exact-match/phases", "paper/exact-match.json", "h200-exact-match-paper", {"exact_match"}},
      {"exact-match/rates", "exact-match-gpu.json", "h200-exact-match", {"exact_match"}},
      {"exact-match/ladder", "paper/exact-match-ladder.json", "h200-exact-match-ladder", {"exact_match"}},
      {"exact-match/layouts", "exact-match-gpu.json", "h200-exact-match", {"exact_match"}, {}, "_gpu/"},
  };
}

/// Leaves the members of an object that are named.
void keep_only(json& object, const std::vector<std::string_view>& names) {
  for (auto member = object.begin(); member != object.end();)
    member = std::ranges::find(names, member.key()) == names.end() ? object.erase(member) : std::next(member);
}

}  // namespace

std::span<const Reproduction> reproductions() {
  static const std::vector<Reproduction> all = rows();
  return all;
}

const Reproduction& reproduction_of(const std::string& figure) {
  const auto row = std::ranges::find(reproductions(), figure, &Reproduction::figure);
  if (row != reproductions().end()) return *row;
  std::vector<std::string_view> figures;
  for (const Reproduction& one : reproductions()) figures.push_back(one.figure);
  throw UsageError(fmt::format(
      "reproduce {}: it cannot be measured again (`report` draws figures of several machines from "
      "their runs){}; allowed: {}",
      figure, did_you_mean(figure, figures), fmt::join(figures, ", ")));
}

void keep_what_is_drawn(const Reproduction& reproduction, json& document) {
  std::string stem(reproduction.figure);
  std::ranges::replace(stem, '/', '-');
  document["description"] =
      fmt::format("What the figure {} draws of {}.", reproduction.figure, document.value("name", ""));
  document["name"] = "reproduce-" + stem;
  for (const char* key : {"expects_device", "budget_s"}) document.erase(key);
  if (reproduction.probes.empty()) document.erase("probes_of");
  if (document.contains("families")) keep_only(document["families"], reproduction.families);
  if (document.contains("probes")) keep_only(document["probes"], reproduction.probes);
  if (!reproduction.beside.counters)
    document.erase("counters");
  else if (!document.contains("counters") || document["counters"] == "winners")
    document["counters"] = true;
  if (!reproduction.beside.energy) document.erase("energy");
  if (!reproduction.beside.ceilings) {
    document["bounds_from"] = "run";
    document["probe_budget_s"] = 0;
  }
  document["tune"]["remeasure"] = 0;
}

}  // namespace gpuseq::bench
