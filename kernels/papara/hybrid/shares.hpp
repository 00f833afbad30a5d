#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/papara/hybrid/plan.hpp"

namespace gpuseq::papara {

/// Work of one worker in a launch.
struct Share {
  double cells = 0;
  u64 pieces = 0;
  double finish_s = 0;  // since the start of the launch

  void add(u64 more_cells, double now_s) {
    cells += static_cast<double>(more_cells);
    ++pieces;
    finish_s = now_s;
  }
};

/// Work of all workers in a launch.
class Shares {
 public:
  void begin(int cpu_threads, std::size_t gpus);
  void end(double seconds) { duration_s_ = seconds; }
  Share& cpu(int thread) { return shares_[static_cast<std::size_t>(thread)]; }
  Share& gpu(std::size_t gpu) { return shares_[threads_ + gpu]; }

  LaunchTimes times() const;
  /// Seconds between the end of the first and the end of the last worker that took part.
  double imbalance_s() const;
  /// Shares of the cells, speeds, pieces and idle time of the parts, and the lost share of the launch: 1 -
  /// the time that all parts together would need at their speeds alone, or at those of this launch if they
  /// were not measured alone.
  nlohmann::json facts(double cells, const std::optional<SettledPlan>& settled) const;

 private:
  std::span<const Share> cpu() const { return std::span(shares_).first(threads_); }
  std::span<const Share> gpus() const { return std::span(shares_).subspan(threads_); }
  nlohmann::json facts_of(const std::string& name, std::span<const Share> shares, double cells) const;

  std::vector<Share> shares_;  // of CPU threads, then of GPUs
  std::size_t threads_ = 0;
  double duration_s_ = 0;
};

/// "taken": "both", "gpus" or "cpu", and the launch times of the plans that were tried.
nlohmann::json facts_of(const SettledPlan& settled);
/// The reason why a part takes no work; empty if both take part, or if there is only one.
std::string note_of(const SettledPlan& settled);

}  // namespace gpuseq::papara
