#pragma once

#include <bit>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/pairwise_distance/data/instances.hpp"
#include "kernels/pairwise_distance/metric.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::pairwise_distance {

/// The sizes of a problem, of loaded data or from its point.
struct KnownData {
  Metric metric = Metric::hamming;
  u32 alphabet = 0;  // 0: known only from the file, like whether values are missing
  bool missing = false;
  u64 instances = 0, attributes = 0;
};
KnownData known_data(const Point& problem);
KnownData known_data(const Instances& instances, Metric metric);
/// The full matrix in "comparisons", independent of how much of it is computed.
Work work_of(const KnownData& data);
/// Bytes of all distances and, if values are missing, of all numbers of compared attributes.
u64 matrix_bytes(const KnownData& data);

/// Distances of all pairs. Both matrices are symmetric, complete and row-major; [count x count].
struct Distances {
  u64 count = 0;
  /// Sums of value_distance() over the attributes with values in both instances. For real values the bits of
  /// the distance, a 32-bit floating point number: code that only moves matrices need not distinguish them.
  std::vector<u32> sum = {};
  /// Numbers of compared attributes; empty: all attributes for every pair (no value is missing).
  std::vector<u32> compared = {};

  u32 at(u64 a, u64 b) const { return sum[a * count + b]; }
  float real_at(u64 a, u64 b) const { return std::bit_cast<float>(at(a, b)); }
  u64 bytes() const { return (sum.size() + compared.size()) * sizeof(u32); }
  bool operator==(const Distances&) const = default;
};

/// Some rows of the matrix: the distances of instances from `first` on to all `count`.
struct DistanceBand {
  u64 first = 0, rows = 0, count = 0;
  std::span<const u32> sum = {}, compared = {};  // [rows x count] each, see Distances
};
using TakeBand = std::function<void(const DistanceBand& band)>;

/// Instances and a metric, with the oracle's distances of some pairs. Shared by all sessions.
class DistanceProblem : public Problem {
 public:
  ~DistanceProblem() override;
  std::string hash() const override;
  std::string label(const Point& problem) const override;
  nlohmann::json describe() const override;
  std::map<std::string, std::filesystem::path> write_files(
      const std::filesystem::path& folder) const override;
  Verification check(const Answers& answers) const override;

  const Instances& instances() const;
  Metric metric() const;
  /// Attribute comparisons of the full matrix, count^2 x attributes: the amount of work.
  double comparisons() const;
  /// Rows with the oracle's distances to all instances: all rows of a small problem, else the first, the last
  /// and a seeded choice that takes a few seconds. Computed on first use.
  std::span<const u64> checked_rows() const;
  /// [checked_rows x count] each; `compared` is empty if no value is missing.
  std::span<const u32> expected_sums() const;
  std::span<const u32> expected_compared() const;
  const std::filesystem::path& cache_dir() const;
  std::vector<std::string> notes() const;
  /// Sessions prepared after this call compute bands instead of the whole matrix, within this much memory: of
  /// the host, or for a GPU all its memory there. Problems that cannot be computed within it are rejected.
  void keep_to(u64 bytes);
  /// 0: whole matrices.
  u64 memory_limit() const;

  struct State;
  explicit DistanceProblem(std::unique_ptr<State> state);
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// Axes of the problem: metric; instances (`random`, or a data name: CSV, aligned FASTA, or PLINK .bed with
/// .bim and .fam in the same folder); for random ones instance_count, attribute_count, alphabet, missing
/// (missing values per thousand), data_set (index of a seed's data sets); for a CSV file header and names
/// (whether its first row and its first column are labels).
const SearchSpace& problem_space();

/// @throws UsageError for a malformed file, a metric without meaning for the data (ibs: three genotypes),
/// sums that exceed 32 bits, or real values so far apart that the sum of their squares does
/// @param pairs_at_once  instances of a file whose distances exceed the host's memory are
/// rejected, with DoesNotFit
std::unique_ptr<DistanceProblem> load_problem(const ProblemSpec& spec, bool pairs_at_once = true);
/// A problem of given data, for exec, tests and other callers that have data.
std::unique_ptr<DistanceProblem> make_problem(Instances instances, Metric metric,
                                              std::filesystem::path cache_dir = {});

/// The common part of the sessions of all variants: work, verification against the oracle, facts.
class DistanceSession : public Session {
 public:
  explicit DistanceSession(DistanceProblem& problem) : problem_(problem) {}
  Work work() const;
  virtual HeldMemory held() const = 0;
  Verification verify() override;
  nlohmann::json facts() const override;
  std::vector<std::string> notes() const override;
  /// Distances of all pairs by the last launch; launches first if necessary. Valid until the next call or
  /// launch, as they are gigabytes for many instances.
  virtual const Distances& distances() = 0;
  /// All distances, band by band from the first row on: computed one after the other if the problem has a
  /// memory limit, else from distances(). A band is valid during the call.
  virtual void each_band(const TakeBand& take);

 protected:
  DistanceProblem& problem_;
};

/// The CPU variants and the CUDA variants (absent in a build without CUDA); their sessions are
/// DistanceSessions. prepare throws ResourceError, with the reason, for a metric, an alphabet or missing
/// values that a variant's representation does not support.
std::vector<Variant> cpu_variants();
std::vector<Variant> cuda_variants();

}  // namespace gpuseq::pairwise_distance
