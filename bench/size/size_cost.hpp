#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/plan.hpp"
#include "results/record.hpp"
#include "runtime/contract/effort.hpp"

namespace gpuseq::bench {

/// What a problem would take at a larger size than those measured, as the records on the way say: launches
/// grow with the work, loading and preparing as the family says (an index does not grow with its queries),
/// compiling does not grow, sampling has the config's limits.
class SizeCost {
 public:
  /// @param taken  records of the problem's sizes so far, which outlive this
  /// @param data_bytes  as StateOutline has them
  SizeCost(const SizedStates& problem, std::span<const results::Record* const> taken,
           const SuiteConfig& config, const std::map<std::string, std::uint64_t>& data_bytes);

  /// Of the way so far.
  double spent_s() const;
  /// Of these states at a size.
  double step_s(std::span<const State> states, std::int64_t size) const;
  /// Of all states at a size, and of measuring the best of each device again.
  double sweep_s(std::int64_t size) const;

 private:
  /// What one state of a device takes beside its launches and the loading of the problem.
  struct Own {
    double seconds = 0;  // at `size`
    double compile_s = 0;
    std::int64_t size = 0;
  };
  /// How many times as much work a launch at one size is as at another.
  double more_work(std::int64_t from, std::int64_t to) const;
  /// How many times as long loading the problem takes, and preparing and checking one state.
  double more_loading(std::int64_t from, std::int64_t to) const;
  double more_preparing(std::int64_t from, std::int64_t to) const;
  std::optional<Effort> effort_at(std::int64_t size) const;
  double load_s(std::int64_t size) const;
  double state_s(const State& state, std::int64_t size) const;
  double own_compile_s(const std::string& device) const;
  /// Whether its kernel is in the cache, because it was measured at another size.
  bool is_compiled(const State& state) const;
  /// The last record of a variant on a device; nullptr: none, because it could not run.
  const results::Record* last_of(const State& state) const;

  const SizedStates& problem_;
  std::span<const results::Record* const> taken_;
  const SuiteConfig& config_;
  const std::map<std::string, std::uint64_t>& data_bytes_;
  std::int64_t last_size_ = 0;
  std::map<std::string, Own> own_;  // by device
};

}  // namespace gpuseq::bench
