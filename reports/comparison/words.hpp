#pragma once

#include <string>
#include <string_view>

#include "reports/comparison/comparison.hpp"
#include "results/names/short_names.hpp"

/// How every output of a comparison words its numbers.
namespace gpuseq::comparison {

/// What the states of a comparison are called in everything but JSON.
results::ShortNames names_of(const Comparison& comparison);
/// "3 %", "7.1 %", "unknown" for what is not finite.
std::string percent(double share);
/// A ratio of times as a change: "+5.0 %", "-12 %".
std::string change(double ratio);
/// "process" or "processes".
std::string units(std::string_view unit, std::size_t count);
/// The word of a verdict in outputs: "new" where the code says added.
std::string_view word(Verdict verdict);
/// "5 regressed, 1 missing, 110 same, 3 skipped on both sides".
std::string totals(const Comparison& comparison);
/// The verdict on the whole, one sentence: "Regressed: 2 of 120 states are slower, the worst by +12 %."
std::string headline(const Comparison& comparison);
/// What a reader must know of how the numbers came about, sentences; empty: nothing. One process a side shows
/// no noise between processes.
std::string caveat(const Comparison& comparison);
/// "+5.0 % (+4.1 % to +5.8 %), 12.1 M to 11.5 M query bases/s", or the reason where there are no numbers.
std::string summary(const StateComparison& state);

/// What verdicts on this machine are worth, or why that is not known; empty where it was not asked for.
std::string certificate_text(const Comparison& comparison);

}  // namespace gpuseq::comparison
