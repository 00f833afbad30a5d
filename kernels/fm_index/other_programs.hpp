#pragma once

#include <string>

#include "kernels/fm_index/data/queries.hpp"
#include "runtime/contract/agreement.hpp"

namespace gpuseq::fm_index {

/// The name that write_files() gives a packed query: its number in the file, from 1.
std::string number_of(const Queries& queries, u32 query);

/// The error of answers to queries that write_files() wrote none of; empty where there are none.
std::string why_foreign(const Queries& queries, const Answers& answers);

class FmProblem;

/// How many queries occur as often as the oracle says, of those that it checks; one without an answer occurs
/// nowhere.
/// @throws UsageError for an answer to no query
Agreement agreement(const FmProblem& problem, const Answers& answers);

}  // namespace gpuseq::fm_index
