#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "runtime/contract/session.hpp"

namespace gpuseq {

/// What exec() did: seconds by phase ("load", "prepare", "compute"), the work of "compute" and the most
/// memory that a session held.
class ExecReport {
 public:
  /// Runs a step and adds its time to a phase. @returns what the step returns
  template <typename Step>
  decltype(auto) timed(const std::string& phase, Step&& step) {
    const Span span(seconds_[phase], 1);
    return std::forward<Step>(step)();
  }
  /// Runs a step within a step of that phase, without its time.
  template <typename Step>
  decltype(auto) untimed(const std::string& phase, Step&& step) {
    const Span span(seconds_[phase], -1);
    return std::forward<Step>(step)();
  }
  /// Adds the work of a session after its launch.
  void add(const Session& session) {
    add(session.work());
    if (const auto memory = session.memory()) bytes_ = std::max(bytes_, memory->bytes());
  }
  void add(const Work& work) {
    work_.amount += work.amount;
    work_.unit = work.unit;
  }

  void add_seconds(const std::string& phase, double seconds) { seconds_[phase] += seconds; }

  const Work& work() const { return work_; }
  /// 0: not known.
  std::uint64_t bytes() const { return bytes_; }
  /// 0 for a phase that the family has not.
  double seconds(const std::string& phase) const {
    const auto found = seconds_.find(phase);
    return found == seconds_.end() ? 0 : found->second;
  }

 private:
  /// Adds the seconds of its life to a sum, or takes them away.
  class Span {
   public:
    Span(double& sum_s, int sign) : sum_s_(sum_s), sign_(sign) {}
    ~Span() {
      sum_s_ += sign_ * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;

   private:
    double& sum_s_;
    int sign_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  };

  std::map<std::string, double> seconds_;
  Work work_;
  std::uint64_t bytes_ = 0;
};

}  // namespace gpuseq
