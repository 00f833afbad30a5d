#include "reports/figures/profile_hmm/points.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gpuseq::reports::profile_hmm {

std::string filter_of(const Entry& entry) {
  return word(entry.record.state.problem, "filter");
}

std::size_t filter_index(std::string_view filter) {
  const auto found = std::find(kFilters.begin(), kFilters.end() - 1, filter);
  return static_cast<std::size_t>(found - kFilters.begin());
}

std::string filter_title(std::string_view filter) {
  if (filter == "ssv") return "SSV";
  return filter == "msv" ? "MSV" : "Viterbi";
}

std::optional<double> model_length_of(const Entry& entry) {
  const results::Record& record = entry.record;
  if (const auto length = number(record.facts, "model_length")) return length;
  if (is_of_file(entry)) return std::nullopt;
  return number(record.state.problem, "model_length");
}

bool is_of_file(const Entry& entry) {
  return word(entry.record.state.problem, "models") != "random";
}

std::string sequences_of(const Entry& entry) {
  const Point& problem = entry.record.state.problem;
  const auto count = number(entry.record.facts, "sequence_count"),
             residues = number(entry.record.facts, "residues");
  std::string name = word(problem, "sequences");
  name = name.substr(name.find_last_of('/') + 1);
  std::string text = count ? fmt::format("{} ", *count) : "";
  if (name.empty() || name == "random") {
    // Their residues are not told: domains of the model are in them, so that their number varies with its
    // length.
    text += "random sequences";
    if (const auto homologs = number(problem, "homologs"))
      text += fmt::format(", {} homologs in 1000", *homologs);
  } else {
    text += "sequences of " + name;
    if (residues) text += fmt::format(" ({} residues)", format_value(*residues, Unit::number_si));
  }
  return text + (is_of_file(entry) ? ", models of files" : ", random models");
}

namespace {

/// The memory that a point asks for.
std::string asked_row_memory_of(const Entry& entry) {
  std::string row = word(entry.record.state.point, "row");
  if (row != "auto") return row;
  // profile_hmm_ssv_f16x2_l8_registers_...: the kernel's name says what `auto` was
  const std::string kernel = text(entry.record.facts, "kernel");
  for (const char* memory : {"registers", "shared", "local"})
    for (const char* lanes : {"_l1_", "_l2_", "_l4_", "_l8_", "_l16_", "_l32_"})
      if (kernel.find(lanes + std::string(memory) + "_") != std::string::npos) return memory;
  return "";
}

}  // namespace

std::string row_memory_of(const Entry& entry) {
  const std::string asked = asked_row_memory_of(entry);
  // The compiler keeps a row of few words in registers all the same.
  const auto& resources = entry.record.resources;
  return asked == "local" && resources && resources->local_bytes == 0 ? "registers" : asked;
}

std::string compilation_of(const Entry& entry) {
  const Point& point = entry.record.state.point;
  if (word(point, "compiled_by") == "nvcc") return kAheadOfTime;
  const std::string stripes = word(point, "stripes");
  if (stripes == "constant") return kConstantNvrtc;
  return stripes == "variable" ? kVariableNvrtc : "";
}

std::string vectors_of(const Entry& entry) {
  const std::string target = word(entry.record.state.point, "target");
  std::string chosen = text(entry.record.facts, "highway_target");
  if (target == "sse4" || chosen == "SSE4") return "SSE4";
  if (target == "avx2" || chosen == "AVX2") return "AVX2";
  if (target == "avx512" || chosen.starts_with("AVX3")) return "AVX-512";
  return chosen;
}

}  // namespace gpuseq::reports::profile_hmm
