#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/plan.hpp"
#include "results/record.hpp"
#include "runtime/contract/cost.hpp"

namespace gpuseq::bench {

/// The predicted time of a problem at a larger size than those measured, by the records on the
/// way: launches grow with the work, loading and preparing as the family says (an index does
/// not grow with its queries), compiling does not grow, sampling has the config's limits.
class SizeCost {
 public:
  /// @param taken  records of the problem's sizes so far, which outlive this
  /// @param data_bytes  as StateOutline has them
  SizeCost(const SizedStates& problem, std::span<const results::Record* const> taken,
           const SuiteConfig& config, const std::map<std::string, std::uint64_t>& data_bytes);

  /// The seconds of the way so far.
  double spent_s() const { return spent_s_; }
  /// The seconds of these states at a size.
  double step_s(std::span<const State> states, std::int64_t size) const;
  /// Seconds of the states of some devices at a size, or of those that a search evaluates, and of measuring
  /// the best of each device again.
  double sweep_s(std::span<const std::string> devices, std::int64_t size) const;

 private:
  /// Seconds that something took at sizes, ascending.
  using Curve = std::vector<std::pair<std::int64_t, double>>;
  /// The weight that something grows with: the work of a launch, or the family's measure of it.
  using Weight = std::function<double(std::int64_t size)>;
  /// The last two sizes' line; for one size in proportion to the weight, but no
  /// more than a weight in seconds grows by: the rest of its time does not grow.
  static double extrapolated(const Curve& curve, const Weight& weight, bool in_seconds, std::int64_t size);
  double work_at(std::int64_t size) const;
  /// The family's measure of a size, or the work where it has none.
  double weight_of(std::int64_t size, double (*part)(const ProblemCost&)) const;
  /// A family's estimate for a size; 0: it has none.
  double seconds_of(std::int64_t size, double (*part)(const ProblemCost&)) const;
  double shared_s(std::int64_t size) const;
  double own_s(const results::StateKey& state, std::int64_t size) const;
  double compile_s(const State& state) const;
  double launches_s(const State& state, std::int64_t size) const;
  /// The largest size that a device ran.
  std::int64_t furthest_of(const std::string& device) const;
  /// The seconds of the fastest that ran at a size.
  double best_launch_s(const std::string& device, std::int64_t size) const;
  /// The last record of a variant on a device; nullptr: none, because it could not run.
  const results::Record* last_of(const results::StateKey& state) const;

  const SizedStates& problem_;
  const SuiteConfig& config_;
  const std::map<std::string, std::uint64_t>& data_bytes_;
  std::vector<const results::Record*> measured_;  // with numbers, in their order
  double spent_s_ = 0;
  /// Preparing and checking a state, without its launches and compiling: of
  /// records that are not the first of their size, by device and variant.
  std::map<std::string, std::map<std::string, Curve>> own_;
  /// Loading and building of shared objects, which the first record of a size has in it.
  Curve shared_;
  std::map<std::string, double> compile_s_;  // the most, by device
};

}  // namespace gpuseq::bench
