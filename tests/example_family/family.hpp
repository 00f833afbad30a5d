#pragma once

#include "runtime/contract/family.hpp"
#include "runtime/io/hash.hpp"

namespace gpuseq::base_counts {

/// How many bases of a sequence are C or G.
std::unique_ptr<Family> make_family();

/// The sequence of a file or a random one, with the oracle's count.
struct CountProblem final : Problem {
  explicit CountProblem(const ProblemSpec& spec);
  std::string hash() const override { return Hash().update(bases).hex16(); }
  std::string label(const Point& point) const override {
    return data_name(point, "sequence") + " of size " + std::to_string(bases.size());
  }
  nlohmann::json describe() const override { return {{"bases", bases.size()}}; }
  std::map<std::string, std::filesystem::path> write_files(const std::filesystem::path& to) const override;

  std::string bases;
  std::filesystem::path cache_dir;
  std::uint64_t expected = 0;
};

/// The cost of a launch, and its estimate before the problem is loaded.
inline Cost cost_of(std::uint64_t bases) {
  return {.work = {static_cast<double>(bases), "bases"},
          .held = HeldMemory().add("sequence", bases).add(kOutputPart, sizeof(std::uint64_t)),
          .why_no_bound = "its instructions are not counted"};
}
inline Cost estimated_cost(const StateOutline& state) {
  const auto random = static_cast<std::uint64_t>(state.problem.integer("bases"));
  return cost_of(state.letters("sequence", random, {"random"}));
}

/// The common part of the sessions of all variants.
struct CountSession : Session {
  explicit CountSession(CountProblem& solved) : problem(solved) {}
  Cost cost() const override { return cost_of(problem.bases.size()); }
  Verification verify() override {
    const bool passed = count() == problem.expected;
    return {passed, 1, passed ? "" : "the oracle's count differs"};
  }
  virtual std::uint64_t count() {
    launch();
    return found;
  }
  CountProblem& problem;
  std::uint64_t found = 0;
};

std::vector<Variant> cpu_variants();
std::vector<Variant> cuda_variants();  // absent in a build without CUDA

}  // namespace gpuseq::base_counts
