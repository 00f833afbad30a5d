#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/profile_hmm/data/sequences.hpp"
#include "kernels/profile_hmm/scores.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::profile_hmm {

/// One model and one filter against sequences, and the oracle's scores of some of them. Shared by all
/// sessions.
class FilterProblem : public Problem {
 public:
  ~FilterProblem() override;
  std::string hash() const override;
  std::string label(const Point& problem) const override;
  nlohmann::json describe() const override;
  std::map<std::string, std::filesystem::path> write_files(
      const std::filesystem::path& folder) const override;
  Verification check(const Answers& answers) const override;

  const Model& model() const;
  const Profile& profile() const;
  const Sequences& sequences() const;
  Filter filter() const;
  /// Match states times residues: the amount of work.
  double cells() const;
  /// Sequences with an oracle score (all of a small problem, else a selection that takes a few seconds), and
  /// these scores; computed on first use.
  std::span<const u64> checked() const;
  std::span<const RawScore> expected() const;
  /// Directory of compiled kernels, kept between runs; may be empty or not exist.
  const std::filesystem::path& cache_dir() const;
  std::vector<std::string> notes() const;

  struct State;
  explicit FilterProblem(std::unique_ptr<State> state);
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// Axes of the problem: filter; models (`random`, or a data name) with model (its number in the file, from 1)
/// or model_length; sequences (`random`, or a data name), sequence_count, homologs.
const SearchSpace& problem_space();

/// @throws UsageError for a malformed file, or a model that the file lacks
std::unique_ptr<FilterProblem> load_problem(const ProblemSpec& spec);

/// A problem of given data, for exec, tests and other callers that have data.
std::unique_ptr<FilterProblem> make_problem(Model model, std::shared_ptr<const Sequences> sequences,
                                            Filter filter, std::filesystem::path cache_dir = {});

/// The common part of the sessions of all variants: work and cost, verification against the oracle, facts.
class FilterSession : public Session {
 public:
  explicit FilterSession(FilterProblem& problem) : problem_(problem) {}
  Work work() const;  // unit "cells"
  virtual HeldMemory held() const = 0;
  Cost cost() const override;
  Verification verify() override;
  nlohmann::json facts() const override;
  std::vector<std::string> notes() const override;
  /// Raw scores of every sequence by the last launch, in file order; launches first if necessary.
  virtual std::vector<RawScore> scores() = 0;

 protected:
  /// nullopt: no probe measures the vectors of this CPU.
  virtual std::optional<Instructions> instructions() const = 0;

  FilterProblem& problem_;
};

/// Every variant supports every filter.
std::vector<Variant> cpu_variants();
std::vector<Variant> cuda_variants();

}  // namespace gpuseq::profile_hmm
