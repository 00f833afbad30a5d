#include <fmt/format.h>

#include "kernels/profile_hmm/checked_sequences.hpp"
#include "kernels/profile_hmm/outline.hpp"
#include "kernels/profile_hmm/problem.hpp"
#include "kernels/profile_hmm/problem_state.hpp"

namespace gpuseq::profile_hmm {
namespace {

std::string in_words(RawScore score) {
  if (score == kOverflow) return "an overflow";
  return std::to_string(score);
}

std::string difference(const FilterProblem& problem, u64 sequence, RawScore expected, RawScore found) {
  const Sequences& sequences = problem.sequences();
  return fmt::format("sequence {} ({}, {} residues), model {} of {} states, {}: expected {}, found {}",
                     sequence + 1, sequences.names[sequence], sequences.length(sequence),
                     problem.model().name, problem.model().length, kFilterNames[problem.filter()],
                     in_words(expected), in_words(found));
}

}  // namespace

Work FilterSession::work() const {
  return {.amount = problem_.cells(), .unit = "cells"};
}

Cost FilterSession::cost() const {
  Cost cost{.work = work(),
            .held = held(),
            .traffic = std::nullopt,
            .instructions = instructions(),
            .why_no_bound = {}};
  if (!cost.instructions) cost.why_no_bound = kNoVectors;
  return cost;
}

/// Checks the problem's selection, and this session's highest scores, at which numbers saturate first.
Verification FilterSession::verify() {
  const Sequences& sequences = problem_.sequences();
  const std::vector<RawScore> found = scores();
  if (found.size() != sequences.count())
    return {.passed = false,
            .checked = 0,
            .reason = fmt::format("{} scores of {} sequences", found.size(), sequences.count())};
  u64 compared = 0;
  std::string wrong;
  const auto compare = [&](std::span<const u64> chosen, std::span<const RawScore> expected) {
    for (std::size_t i = 0; i < chosen.size() && wrong.empty(); ++i, ++compared)
      if (found[chosen[i]] != expected[i])
        wrong = difference(problem_, chosen[i], expected[i], found[chosen[i]]);
  };
  compare(problem_.checked(), problem_.expected());
  if (wrong.empty() && problem_.checked().size() < sequences.count()) {
    const auto highest =
        highest_scoring(sequences, problem_.model().length, found, checked_cells(problem_.filter()) / 10);
    ThreadPool pool(problem_.state().threads);
    compare(highest, oracle_scores(problem_.profile(), problem_.filter(), sequences, highest, pool));
  }
  return {.passed = wrong.empty(), .checked = compared, .reason = wrong};
}

nlohmann::json FilterSession::facts() const {
  return {{"model_length", problem_.model().length},
          {"sequence_count", problem_.sequences().count()},
          {"residues", problem_.sequences().residues()},
          {"cells", problem_.cells()}};
}

std::vector<std::string> FilterSession::notes() const {
  return problem_.notes();
}

}  // namespace gpuseq::profile_hmm
