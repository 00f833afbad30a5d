#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "bench/phases/race/contest.hpp"
#include "results/statistics/phases.hpp"

namespace gpuseq::bench {

/// A candidate in JSON as text: "one_hot_simd (k=2,d=64)".
std::string candidate_name(const nlohmann::ordered_json& candidate);
/// The first few of several, and how many more there are.
std::string candidate_names(const nlohmann::ordered_json& candidates);
/// The remark on an element of `tuned` that ties with others: "it has the smallest memory footprint of them".
std::string tie_went_to(const nlohmann::ordered_json& winner);

/// A contest in run.json's `tuned`: its winner with rate, interval, bound and memory, and who comes next;
/// with a limit also the winner without it, null where that is the same. `waits` has the waiting time of a
/// user, and the candidate by which that is least where it is another one.
/// @param contest  a candidate keeps to the limit
/// @param times  of the run's records, by their device
nlohmann::ordered_json contest_json(const Contest& contest, const MemoryLimits& limits,
                                    const results::PhaseTimes& times);

/// A contest in which no candidate keeps to the limit, in run.json's `nothing_fits`: the candidate with the
/// smallest footprint, and the winner without the limit.
nlohmann::ordered_json nothing_fits_json(const Contest& contest, const MemoryLimits& limits);

/// Text of an element of `tuned`: "holds 158 MB of at most 200 MB; without the limit one_hot_simd (k=4): 1.4
/// Gbases/s, 555 MB". Empty where the footprint is unknown.
std::string memory_text(const nlohmann::ordered_json& winner);

/// Text of an element of `nothing_fits`: "fm_index on cpu: nothing holds at most 1 MB; the least is simd
/// (k=1), 4 MB".
std::string nothing_fits_text(const nlohmann::ordered_json& contest);

/// Text of an element of `tuned`: "a user waits 336 ms (index 210 ms, transfers 64 ms, kernel 12 ms, output
/// 50 ms); the least is 212 ms with tree_words (in_flight=16)". Empty where the time is unknown.
std::string waits_text(const nlohmann::ordered_json& winner);

}  // namespace gpuseq::bench
