#include <fmt/format.h>

#include "kernels/papara/outline.hpp"
#include "kernels/papara/problem.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::papara {

ScoringSession::ScoringSession(PaparaProblem& problem) : problem_(problem) {
  const u64 queries = problem.queries().count(), references = problem.references().count;
  require_host_memory(queries * references * sizeof(i32),
                      fmt::format("a score of each of {} queries at each of {} edges", queries, references));
}

Work ScoringSession::work() const {
  return {.amount = problem_.cells(), .unit = "cells"};
}

Cost ScoringSession::cost() const {
  Cost cost{.work = work(),
            .held = held(),
            .traffic = std::nullopt,
            .instructions = instructions(),
            .why_no_bound = {}};
  if (!cost.instructions) cost.why_no_bound = kNoVectors;
  return cost;
}

Verification ScoringSession::verify() {
  const Queries& queries = problem_.queries();
  const u64 references = problem_.references().count;
  const auto pairs = problem_.checked();
  const auto expected = problem_.expected();
  const std::vector<i32>& found = scores();
  if (found.size() != queries.count() * references)
    return {.passed = false,
            .checked = 0,
            .reason = fmt::format("{} scores of {} queries and {} references", found.size(), queries.count(),
                                  references)};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& [query, reference] = pairs[i];
    const i32 score = found[query * references + reference];
    if (score == expected[i]) continue;
    return {.passed = false,
            .checked = i + 1,
            .reason = fmt::format("query {} ({} bases), edge {}: expected {}, found {}",
                                  queries.names[queries.source[query]], queries.bases[query], reference,
                                  expected[i], score)};
  }
  return {.passed = true, .checked = pairs.size(), .reason = ""};
}

nlohmann::json ScoringSession::facts() const {
  const Queries& queries = problem_.queries();
  return {{"references", problem_.references().count},
          {"sites", problem_.references().sites},
          {"queries_aligned", queries.count()},
          {"queries_not_aligned", queries.names.size() - queries.count()},
          {"longest_query_bases", queries.longest},
          {"cells", problem_.cells()}};
}

std::vector<std::string> ScoringSession::notes() const {
  return problem_.notes();
}

}  // namespace gpuseq::papara
