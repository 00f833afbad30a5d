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

/// The sizes of a problem, of loaded data or as its point states them.
struct KnownData {
  Metric metric = Metric::hamming;
  u32 alphabet = 0;  // 0: only the file tells, as whether values are missing
  bool missing = false;
  u64 instances = 0, attributes = 0;
};
KnownData known_data(const Point& problem);
KnownData known_data(const Instances& instances, Metric metric);
/// The full matrix in "comparisons", however much of it is computed.
Work work_of(const KnownData& data);
/// All distances and, if values are missing, all numbers of attributes compared.
u64 matrix_bytes(const KnownData& data);

/// Distances of all pairs. Both matrices are symmetric, whole, row after row; [count x count].
struct Distances {
  u64 count = 0;
  /// Of value_distance() over the attributes that both instances have a value of. Of real values the bits of
  /// the distance, a 32-bit floating point number: whoever moves matrices need not know what they hold.
  std::vector<u32> sum = {};
  /// Attributes compared; empty: all of them, for every pair (nothing is missing).
  std::vector<u32> compared = {};

  u32 at(u64 a, u64 b) const { return sum[a * count + b]; }
  float real_at(u64 a, u64 b) const { return std::bit_cast<float>(at(a, b)); }
  u64 bytes() const { return (sum.size() + compared.size()) * sizeof(u32); }
  bool operator==(const Distances&) const = default;
};

/// Some rows of the matrix: the distances of instances from `first` on to all `count`.
struct DistanceBand {
  u64 first = 0, rows = 0, count = 0;
  std::span<const u32> sum = {}, compared = {};  // [rows x count] each, as those of Distances
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
  /// Attribute comparisons of the full matrix, count^2 x attributes: the work.
  double comparisons() const;
  /// Rows whose distances to all instances the oracle has: all of a small problem, else the first, the last
  /// and a seeded choice that takes a few seconds. Made when first asked for.
  std::span<const u64> checked_rows() const;
  /// [checked_rows x count] each; `compared` is empty where nothing is missing.
  std::span<const u32> expected_sums() const;
  std::span<const u32> expected_compared() const;
  const std::filesystem::path& cache_dir() const;
  std::vector<std::string> notes() const;
  /// Sessions that are prepared from now on hold no whole matrix, but make bands of it that keep to so much
  /// memory: of the host, or of a GPU all that they have there. What cannot be computed so is refused.
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
/// .bim and .fam beside it); for random ones instance_count, attribute_count, alphabet, missing (of a
/// thousand values, how many are missing), data_set (which of those that a seed makes); of a CSV file header
/// and names (whether its first row and its first column are labels).
const SearchSpace& problem_space();

/// @throws UsageError for a malformed file, a metric that the data has no meaning in (ibs: three genotypes),
///   sums that would leave 32 bits, or real values so far apart that the sum of their squares would
/// @param pairs_at_once  instances of a file whose distances the host's memory does not hold are refused,
///   with DoesNotFit
std::unique_ptr<DistanceProblem> load_problem(const ProblemSpec& spec, bool pairs_at_once = true);
/// A problem of given data, for exec, tests and whoever has data at hand.
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
  /// Distances of all pairs, as the last launch left them; launches once if none did. Valid until the next
  /// call or launch: they are gigabytes of many instances.
  virtual const Distances& distances() = 0;
  /// All distances, band after band from the first row on: computed one after the other where the problem
  /// keeps to a limit, else those of distances(). A band is valid during the call.
  virtual void each_band(const TakeBand& take);

 protected:
  DistanceProblem& problem_;
};

/// The CPU variants and the CUDA variants (absent in a build without CUDA); their sessions are
/// DistanceSessions. prepare throws ResourceError, with the reason, for a metric, an alphabet or missing
/// values that a variant's representation does not do.
std::vector<Variant> cpu_variants();
std::vector<Variant> cuda_variants();

}  // namespace gpuseq::pairwise_distance
