#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace gpuseq::bench {

/// Shows how far a run is: one line that is rewritten on a terminal, a line per finished state elsewhere.
class Progress {
 public:
  /// @param out  its file descriptor decides which of the two; not owned
  explicit Progress(std::FILE* out);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void plan(long more);
  /// What was planned and not done will be planned again.
  void restart() { total_ = done_; }
  void begin(const std::string& state);
  void stage(const std::string& stage);
  void end(const std::string& status, const std::string& text);
  /// A line of its own, that stays.
  void say(const std::string& line);
  long done() const { return done_; }

 private:
  void redraw();
  void clear();
  std::string left() const;

  std::FILE* out_;
  bool terminal_;
  long total_ = 0, done_ = 0, failed_ = 0;
  std::string state_, stage_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// "1 h 05 min", "3 min 20 s", "12 s"
std::string duration_text(double seconds);

}  // namespace gpuseq::bench
