#pragma once

#include <filesystem>
#include <map>
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
  /// The files of alignment, tree and queries. @throws ResourceError if one of them is evolved
  std::map<std::string, std::filesystem::path> write_files(
      const std::filesystem::path& folder) const override;

  const References& references() const;
  const Queries& queries() const;
  const Penalties& penalties() const;
  /// Cells of all pairs: the amount of work.
  double cells() const;
  /// Pairs with an oracle score (all pairs of a small problem, else a selection that takes a few seconds),
  /// and these scores; computed on first use.
  std::span<const Pair> checked() const;
  std::span<const i32> expected() const;
  /// Directory of compiled kernels, kept between runs; may be empty or not exist.
  const std::filesystem::path& cache_dir() const;
  /// Remarks such as queries that are not aligned or references left out; may be empty.
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

/// A problem of given data, for tests and other callers that have data. @throws UsageError if a size is wrong
std::unique_ptr<PaparaProblem> make_problem(References references, Queries queries,
                                            const Penalties& penalties = {});

/// The common part of the sessions of all variants: work and cost, verification against the oracle, facts.
class ScoringSession : public Session {
 public:
  /// @throws DoesNotFit if the machine's memory cannot hold a score for every pair
  explicit ScoringSession(PaparaProblem& problem);
  Work work() const;  // unit "cells"
  virtual HeldMemory held() const = 0;
  Cost cost() const override;
  Verification verify() override;
  nlohmann::json facts() const override;
  std::vector<std::string> notes() const override;
  /// Scores of the last launch, [queries][references] of the aligned queries; launches first if necessary.
  virtual const std::vector<i32>& scores() = 0;

 protected:
  /// nullopt: no probe measures the vectors of this CPU.
  virtual std::optional<Instructions> instructions() const = 0;

  PaparaProblem& problem_;
};

std::vector<Variant> cpu_variants();
std::vector<Variant> cuda_variants();

}  // namespace gpuseq::papara
