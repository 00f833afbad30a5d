#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "runtime/contract/work.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq {

/// The report of exec(): seconds by phase ("load", "prepare", "compute"), the work of "compute" and the
/// largest memory of a session.
class ExecReport {
 public:
  /// Runs a step and adds its time to a phase. @returns the result of the step
  template <typename Step>
  decltype(auto) timed(const std::string& phase, Step&& step) {
    const ScopedSeconds span(seconds_[phase], 1);
    return std::forward<Step>(step)();
  }
  /// Runs a step within a step of that phase, without its time.
  template <typename Step>
  decltype(auto) untimed(const std::string& phase, Step&& step) {
    const ScopedSeconds span(seconds_[phase], -1);
    return std::forward<Step>(step)();
  }
  /// Adds the work of a launch, and the memory of its session after it.
  void add(const Work& work, const HeldMemory& held = {}) {
    work_.amount += work.amount;
    work_.unit = work.unit;
    bytes_ = std::max(bytes_, held.bytes());
  }

  void add_seconds(const std::string& phase, double seconds) { seconds_[phase] += seconds; }

  const Work& work() const { return work_; }
  /// 0: not known.
  std::uint64_t bytes() const { return bytes_; }
  /// 0 for a phase that the family does not have.
  double seconds(const std::string& phase) const {
    const auto found = seconds_.find(phase);
    return found == seconds_.end() ? 0 : found->second;
  }

 private:
  std::map<std::string, double> seconds_;
  Work work_;
  std::uint64_t bytes_ = 0;
};

}  // namespace gpuseq
