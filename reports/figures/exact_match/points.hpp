#pragma once

#include <optional>
#include <string>

#include "reports/figure_tools.hpp"
#include "reports/terms.hpp"

/// What the figures of exact matches read off a record; lenient, as records of old versions may lack it.
namespace gpuseq::reports::exact_match {

inline constexpr const char* kFamily = "exact_match";

/// Bases of a query, on average.
std::optional<double> query_length_of(const Entry& entry);
std::optional<double> min_length_of(const Entry& entry);

/// Whether matches are as long as their queries at least: the paper's test with simulated reads.
bool of_whole_queries(const Entry& entry);

/// "tree_words, slots, 1 thread": the variant, what it leaves, and on a CPU its threads.
std::string row_of(const Entry& entry);

}  // namespace gpuseq::reports::exact_match
