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
     .meaning = "cells: two halves (SSV, MSV) or 16-bit integers a word, or one of 32 bits (Viterbi); "
                "auto: f16x2, and for Viterbi s16x2 where it is exact"});
inline constexpr auto kLanes = tunable<&Policy::lanes>(
    {.axis = "lanes",
     .letter = "l",
     .meaning = "threads of a sequence; 0: as few as hold a model's row in registers"});
inline constexpr auto kRow = tunable<&Policy::row>({.axis = "row",
                                                    .words = kMemories.words,
                                                    .enumeration = kMemory,
                                                    .meaning = "memory of a sequence's row"});
inline constexpr auto kCosts = tunable<&Policy::costs>(
    {.axis = "costs",
     .words = kMemories.words,
     .enumeration = kMemory,
     .meaning = "memory of the costs of match states; registers (one thread a sequence): by shuffles"});
inline constexpr auto kStepsIn =
    tunable<&Policy::steps>({.axis = "steps",
                             .words = kMemories.words,
                             .enumeration = kMemory,
                             .meaning = "Viterbi: memory of the scores of transitions"});
inline constexpr auto kWarps =
    tunable<&Policy::warps_per_block>({.axis = "warps_per_block",
                                       .letter = "w",
                                       .meaning = "warps of a block; 0: 8, or 16 that share a large table"});
inline constexpr auto kUnroll = tunable<&Policy::unroll>(
    {.axis = "unroll",
     .letter = "u",
     .meaning = "residues in a turn of the loop; 0: 4, or 1 where a row of Viterbi is long"});
inline constexpr auto kAssignment = tunable<&Policy::static_assignment>(
    {.axis = "assignment",
     .words = kAssignments,
     .meaning = "a warp's next sequence: from a queue, or as far on as there are warps",
     .names_first = false});
inline constexpr auto kResidues = tunable<&Policy::residues>(
    {.axis = "residues",
     .letter = "residues_",
     .words = kMemories.words,
     .enumeration = kMemory,
     .meaning = "of a sequence: 16 in each thread's registers, or 128 in a buffer of the warp",
     .names_first = false});
inline constexpr auto kReduction = tunable<&Policy::reduction>(
    {.axis = "reduction",
     .words = kReductionsAre.words,
     .enumeration = "gpuseq::profile_hmm::Reduction",
     .meaning = "of a row's maximum over the threads: skipped where it changes nothing, or each row, by "
                "shuffles",
     .names_first = false});
inline constexpr auto kDeletions = tunable<&Policy::deletions>(
    {.axis = "deletions",
     .words = kDeletionsAre.words,
     .enumeration = "gpuseq::profile_hmm::Deletions",
     .meaning = "Viterbi: D - D is followed within a thread's words together with the row, or, where it can "
                "matter, all of it after the row",
     .names_first = false});
inline constexpr auto kLoads = tunable<&Policy::loads>(
    {.axis = "loads",
     .letter = "load_",
     .words = kLoadsAre.words,
     .enumeration = "gpuseq::profile_hmm::Loads",
     .meaning = "of costs and scores: four words at a time where the row is in registers, or word by word",
     .names_first = false});
inline constexpr auto kResidentWarps = tunable<&Policy::resident_warps>(
    {.axis = "resident_warps",
     .letter = "r",
     .meaning = "warps of a multiprocessor, which share its registers: 32 leave a thread 64; 0: as the "
                "compiler chooses",
     .names_first = false});

/// In the order of Policy's members.
inline constexpr auto kFields = every_member<Policy>(
    {tunable<&Policy::filter>({.words = kFilterNames.words, .enumeration = "gpuseq::profile_hmm::Filter"}),
     kArithmetic, kLanes, kRow, kCosts, kStepsIn, tunable<&Policy::words>({.letter = "q"}), kWarps, kUnroll,
     tunable<&Policy::follow_j>({.words = kFollowed}), kAssignment, kResidues, kReduction, kDeletions, kLoads,
     kResidentWarps});

}  // namespace gpuseq::profile_hmm
