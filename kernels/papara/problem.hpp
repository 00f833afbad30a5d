#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/papara/data/alignment_data.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::papara {

/// A query against a reference.
struct Pair {
  u32 query = 0;
  u32 reference = 0;
};

/// References (the ancestral states of a tree's edges), queries, penalties, and the oracle's scores of some
/// pairs. Shared by all sessions.
class PaparaProblem : public Problem {
 public:
  ~PaparaProblem() override;
  std::string hash() const override;
  std::string label(const Point& problem) const override;
  nlohmann::json describe() const override;

  const References& references() const;
  const Queries& queries() const;
  const Penalties& penalties() const;
  /// Cells of all pairs: the work.
  double cells() const;
  /// Pairs that have an oracle's score (all of a small problem, else a spread that takes a few seconds), and
  /// those scores; made when first asked for.
  std::span<const Pair> checked() const;
  std::span<const i32> expected() const;
  /// Where compiled kernels are kept between runs; may be empty or not exist.
  const std::filesystem::path& cache_dir() const;
  /// Queries that are not aligned, references left out ...; empty when there is nothing to say.
  std::vector<std::string> notes() const;

  struct State;
  explicit PaparaProblem(std::unique_ptr<State> state);
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// Axes of the problem: alphabet, alignment, tree, queries (data names, or `evolved`), references, sites,
/// query_count, shortest_query, longest_query, and the penalties.
const SearchSpace& problem_space();

/// Loads or generates alignment, tree and queries, and computes the ancestral states.
/// @throws UsageError for a malformed file, or sizes that do not fit it
std::unique_ptr<PaparaProblem> load_problem(const ProblemSpec& spec);

/// A problem of given data, for tests and whoever has data at hand. @throws UsageError if a size is off
std::unique_ptr<PaparaProblem> make_problem(References references, Queries queries,
                                            const Penalties& penalties = {});

/// The common part of the sessions of all variants: work and cost, verification against the oracle, facts.
class ScoringSession : public Session {
 public:
  /// @throws DoesNotFit if this machine's memory cannot hold a score of every pair
  explicit ScoringSession(PaparaProblem& problem);
  Work work() const;  // unit "cells"
  virtual HeldMemory held() const = 0;
  Cost cost() const override;
  Verification verify() override;
  nlohmann::json facts() const override;
  std::vector<std::string> notes() const override;
  /// Score of every aligned query against every reference, [queries][references], as the last launch left
  /// them; launches once if none did.
  virtual const std::vector<i32>& scores() = 0;

 protected:
  /// nullopt: this processor's vectors have no probe.
  virtual std::optional<Instructions> instructions() const = 0;

  PaparaProblem& problem_;
};

std::vector<Variant> cpu_variants();
std::vector<Variant> cuda_variants();

}  // namespace gpuseq::papara
