#pragma once

#include <chrono>
#include <cstdio>
#include <limits>
#include <mutex>
#include <set>
#include <string>

#include "bench/run/terminal/remaining_time.hpp"
#include "bench/run/terminal/terminal.hpp"

namespace gpuseq::bench {

/// Shows how far a run is. On a terminal: one line that is rewritten. Elsewhere, for logs: a line where a
/// phase begins, one each tenth, and one for each state that failed. Several threads may use it.
class Progress {
 public:
  /// @param verbose  a line for each state as well
  Progress(const Terminal& terminal, bool verbose);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// @param pace, typical_s  as RemainingTime has them
  void plan(const std::string& pace, long more, double typical_s);
  /// The remaining time is no more than the rest of so many seconds, which begin now.
  void set_budget(double seconds);
  /// @param phase  of the record
  void begin(const std::string& name, const std::string& pace, const std::string& phase);
  void stage(const std::string& stage);
  void end(const std::string& status, const std::string& text);
  /// A line of its own, that stays.
  void say(const std::string& line);
  long done() const { return done_; }

 private:
  using Clock = std::chrono::steady_clock;

  void redraw();
  void clear();
  void log();
  int percent() const;
  std::string left() const;

  std::recursive_mutex mutex_;
  Terminal terminal_;
  bool verbose_;
  long total_ = 0, done_ = 0, failed_ = 0;
  int logged_percent_ = 0;
  RemainingTime remaining_;
  double budget_s_ = std::numeric_limits<double>::infinity();  // from start_
  std::string state_, pace_, stage_, phase_;
  std::set<std::string> phases_;  // that have begun
  Clock::time_point start_ = Clock::now(), last_end_ = start_;
};

}  // namespace gpuseq::bench
