#pragma once

#include <array>

#include "kernels/profile_hmm/cuda/filter_policy.cuh"
#include "kernels/profile_hmm/scores.hpp"
#include "runtime/contract/tunable.hpp"

// The tunables of the CUDA variants with their names in JSON, C++ and kernel names.

namespace gpuseq::profile_hmm {

inline constexpr auto kArithmetics = enum_words<Arithmetic>({{Arithmetic::video, "video"},
                                                             {Arithmetic::s16x2, "s16x2"},
                                                             {Arithmetic::f16x2, "f16x2"},
                                                             {Arithmetic::s32, "s32"}});
inline constexpr auto kMemories = enum_words<Memory>({{Memory::registers, "registers"},
                                                      {Memory::shared, "shared"},
                                                      {Memory::local, "local"},
                                                      {Memory::read_only, "read_only"}});
inline constexpr auto kReductionsAre =
    enum_words<Reduction>({{Reduction::skipped, "skipped"}, {Reduction::each_row, "each_row"}});
inline constexpr auto kDeletionsAre =
    enum_words<Deletions>({{Deletions::in_row, "in_row"}, {Deletions::lazy_f, "lazy_f"}});
inline constexpr auto kLoadsAre = enum_words<Loads>({{Loads::wide, "wide"}, {Loads::words, "words"}});
inline constexpr std::array<std::string_view, 2> kFollowed{"no_j", ""}, kAssignments{"queue", "static"};
inline constexpr std::string_view kMemory = "gpuseq::profile_hmm::Memory";

inline constexpr auto kArithmetic = tunable<&Policy::arithmetic>(
    {.axis = "arithmetic",
     .words = kArithmetics.words,
     .enumeration = "gpuseq::profile_hmm::Arithmetic",
     .meaning = "number format of the cells: two halves (SSV, MSV) or two 16-bit integers per word, or one "
                "32-bit integer (Viterbi); auto: f16x2, and for Viterbi s16x2 where it is exact"});
inline constexpr auto kLanes = tunable<&Policy::lanes>(
    {.axis = "lanes",
     .letter = "l",
     .meaning = "threads per sequence; 0: the fewest whose registers have room for a row of the model"});
inline constexpr auto kRow =
    tunable<&Policy::row>({.axis = "row",
                           .words = kMemories.words,
                           .enumeration = kMemory,
                           .meaning = "memory of the dynamic-programming row of a sequence"});
inline constexpr auto kCosts = tunable<&Policy::costs>(
    {.axis = "costs",
     .words = kMemories.words,
     .enumeration = kMemory,
     .meaning =
         "memory of the costs of match states; registers (one thread per sequence): exchanged by shuffles"});
inline constexpr auto kStepsIn =
    tunable<&Policy::steps>({.axis = "steps",
                             .words = kMemories.words,
                             .enumeration = kMemory,
                             .meaning = "Viterbi: memory of the transition scores"});
inline constexpr auto kWarps =
    tunable<&Policy::warps_per_block>({.axis = "warps_per_block",
                                       .letter = "w",
                                       .meaning = "warps per block; 0: 8, or 16 that share a large table"});
inline constexpr auto kUnroll = tunable<&Policy::unroll>(
    {.axis = "unroll",
     .letter = "u",
     .meaning = "residues per iteration of the loop; 0: 4, or 1 for a long Viterbi row"});
inline constexpr auto kAssignment = tunable<&Policy::static_assignment>(
    {.axis = "assignment",
     .words = kAssignments,
     .meaning =
         "next sequence of a warp; queue: from a common queue; static: at a stride of the number of warps",
     .names_first = false});
inline constexpr auto kResidues = tunable<&Policy::residues>(
    {.axis = "residues",
     .letter = "residues_",
     .words = kMemories.words,
     .enumeration = kMemory,
     .meaning = "residues of a sequence; registers: 16 per thread; shared: 128 in a buffer of the warp",
     .names_first = false});
inline constexpr auto kReduction =
    tunable<&Policy::reduction>({.axis = "reduction",
                                 .words = kReductionsAre.words,
                                 .enumeration = "gpuseq::profile_hmm::Reduction",
                                 .meaning = "maximum of a row over the threads, by shuffles; each_row: in "
                                            "each row; skipped: not where it changes nothing",
                                 .names_first = false});
inline constexpr auto kDeletions = tunable<&Policy::deletions>(
    {.axis = "deletions",
     .words = kDeletionsAre.words,
     .enumeration = "gpuseq::profile_hmm::Deletions",
     .meaning = "Viterbi transitions from D to D; in_row: within the words of a thread, together with the "
                "row; lazy_f: all of them after the row, where they can matter",
     .names_first = false});
inline constexpr auto kLoads =
    tunable<&Policy::loads>({.axis = "loads",
                             .letter = "load_",
                             .words = kLoadsAre.words,
                             .enumeration = "gpuseq::profile_hmm::Loads",
                             .meaning = "loads of costs and scores; wide: four words at a time where the row "
                                        "is in registers; words: word by word",
                             .names_first = false});
inline constexpr auto kResidentWarps = tunable<&Policy::resident_warps>(
    {.axis = "resident_warps",
     .letter = "r",
     .meaning = "resident warps per multiprocessor, which limit the registers (32 warps: 64 per thread); 0: "
                "as the compiler chooses",
     .names_first = false});

/// In the order of Policy's members.
inline constexpr auto kFields = every_member<Policy>(
    {tunable<&Policy::filter>({.words = kFilterNames.words, .enumeration = "gpuseq::profile_hmm::Filter"}),
     kArithmetic, kLanes, kRow, kCosts, kStepsIn, tunable<&Policy::words>({.letter = "q"}), kWarps, kUnroll,
     tunable<&Policy::follow_j>({.words = kFollowed}), kAssignment, kResidues, kReduction, kDeletions, kLoads,
     kResidentWarps});

}  // namespace gpuseq::profile_hmm
