#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "reports/cell_rates.hpp"

/// Reading of profile-HMM records that the family's figures share.
namespace gpuseq::reports::profile_hmm {

/// "ssv", "msv", "viterbi"; empty where a record does not say.
std::string filter_of(const Entry& entry);
/// The filters in the order in which hmmsearch applies them, and the place of one there.
inline constexpr std::array<std::string_view, 3> kFilters{"ssv", "msv", "viterbi"};
std::size_t filter_index(std::string_view filter);
/// "SSV", "MSV", "Viterbi".
std::string filter_title(std::string_view filter);

/// Match states of the model, from the record's facts, else of the random model that was asked for.
std::optional<double> model_length_of(const Entry& entry);

/// Whether the model was read, not drawn at random.
bool is_of_file(const Entry& entry);

/// "486000 sequences of goasp.fasta.psq (179 M residues), random models": what models are searched in.
std::string sequences_of(const Entry& entry);

/// Memory of a sequence's row: "registers", "shared" or "local"; empty on a CPU.
std::string row_memory_of(const Entry& entry);

/// How a CUDA kernel came to be: one of the names below; empty on a CPU.
inline constexpr const char* kConstantNvrtc = "NVRTC, stripes constant";
inline constexpr const char* kVariableNvrtc = "NVRTC, stripes variable";
inline constexpr const char* kAheadOfTime = "ahead of time (nvcc)";
std::string compilation_of(const Entry& entry);

/// "SSE4", "AVX2", "AVX-512": vectors of a CPU record; empty where it has none.
std::string vectors_of(const Entry& entry);

}  // namespace gpuseq::reports::profile_hmm
