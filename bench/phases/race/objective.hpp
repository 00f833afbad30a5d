#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/config/config.hpp"
#include "results/record.hpp"
#include "results/statistics/phases.hpp"

namespace gpuseq::bench {

/// Times of records that others are charged with, by their device.
results::PhaseTimes phase_times_of(std::span<const results::Record> records);

/// The objective's metric of a record; nullopt where it has none, or no rate above 0.
/// @param times  of the run's records
std::optional<double> metric_of(const results::Record& record, const Objective& objective,
                                const results::PhaseTimes& times);

/// The same as a score: more is better, and it is above 0.
std::optional<double> score_of(const results::Record& record, const Objective& objective,
                               const results::PhaseTimes& times);

/// Whether a metric is measured, so that it is another one each time; others are counted.
bool is_measured(const Objective& objective);

/// The names of objectives on a command line: "throughput", "energy", "memory", "time_to_solution",
/// "bits_per_base".
std::span<const std::string_view> objective_words();
/// @throws UsageError naming those there are
Objective objective_of_word(std::string_view word);
/// The word of an objective; for another direction than usual, its metric.
std::string word_of(const Objective& objective);

/// One objective, or two with a colon between. @throws UsageError
std::vector<Objective> objectives_of_words(std::string_view words);

}  // namespace gpuseq::bench
