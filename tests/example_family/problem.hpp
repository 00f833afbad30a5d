#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/contract/family.hpp"

namespace gpuseq::base_counts {

using Counts = std::array<std::uint64_t, 4>;  // of A, C, G, T

/// Bases as 0 to 3; other letters of a file are left out.
class CountProblem : public Problem {
 public:
  CountProblem(std::vector<std::uint8_t> bases, std::filesystem::path cache_dir);
  std::string hash() const override;
  std::string label(const Point& problem) const override;
  nlohmann::json describe() const override;
  /// "sequence": the bases as one FASTA record.
  std::map<std::string, std::filesystem::path> write_files(
      const std::filesystem::path& folder) const override;

  std::span<const std::uint8_t> bases() const { return bases_; }
  const Counts& expected() const { return expected_; }
  const std::filesystem::path& cache_dir() const { return cache_dir_; }

 private:
  std::vector<std::uint8_t> bases_;
  std::filesystem::path cache_dir_;
  Counts expected_;  // by the oracle
};

/// Axes: sequence (`random`, or a data name), bases (of a random sequence).
const SearchSpace& problem_space();
/// @throws UsageError for a malformed file
std::unique_ptr<CountProblem> load_problem(const ProblemSpec& spec);

/// What sessions of all variants share.
class CountSession : public Session {
 public:
  explicit CountSession(CountProblem& problem) : problem_(problem) {}
  Work work() const override;
  Verification verify() override;
  /// As the last launch left them; launches if none did.
  virtual Counts counts() = 0;

 protected:
  CountProblem& problem_;
};

std::vector<Variant> cpu_variants();
std::vector<Variant> cuda_variants();  // absent in a build without CUDA

}  // namespace gpuseq::base_counts
