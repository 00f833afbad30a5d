#include "bench/run/terminal/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/config/units.hpp"
#include "runtime/io/say.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::bench {
namespace {

std::string phase_words(const std::string& phase) {
  if (phase == "probe") return "probes";
  if (phase == "refine") return "probes where levels end";
  if (phase == "size") return "sizes of problems";
  if (phase == "sweep") return "kernels";
  if (phase == "tune") return "the best again";
  if (phase == "winner") return "winners' counters and energy";
  return phase;
}

}  // namespace

Progress::Progress(const Terminal& terminal, bool verbose) : terminal_(terminal), verbose_(verbose) {}
Progress::~Progress() {
  clear();
}

void Progress::plan(const std::string& pace, long more, double typical_s) {
  const std::lock_guard lock(mutex_);
  total_ += more;
  remaining_.plan(pace, more, typical_s);
  redraw();
}

void Progress::set_budget(double seconds) {
  budget_s_ = seconds_since(start_) + seconds;
}

void Progress::begin(const std::string& name, const std::string& pace, const std::string& phase) {
  const std::lock_guard lock(mutex_);
  state_ = printable(name);
  pace_ = pace;
  phase_ = phase;
  stage_.clear();
  if (phases_.insert(phase).second && !terminal_.rewrites()) log();
  redraw();
}

void Progress::stage(const std::string& stage) {
  const std::lock_guard lock(mutex_);
  if (stage == stage_) return;
  stage_ = stage;
  redraw();
}

void Progress::end(const std::string& status, const std::string& text) {
  const std::lock_guard lock(mutex_);
  remaining_.finished(pace_, seconds_since(last_end_));
  last_end_ = Clock::now();
  ++done_;
  const bool failed = status == "failed";
  if (failed) ++failed_;
  if (failed || verbose_)
    say(fmt::format("[{}/{}] {} {}: {}", done_, total_, failed ? terminal_.paint(Ink::red, status) : status,
                    state_, printable(text)));
  constexpr int kTenth = 10;
  if (!terminal_.rewrites() && !verbose_ && percent() / kTenth > logged_percent_ / kTenth) log();
  redraw();
}

void Progress::say(const std::string& line) {
  const std::lock_guard lock(mutex_);
  clear();
  gpuseq::say(terminal_.out(), "{}\n", Lines{line});
  std::fflush(terminal_.out());
  redraw();
}

int Progress::percent() const {
  constexpr int kMost = 99;  // the best, and so the states measured again, are planned at the end
  return total_ == 0 ? 0 : std::min(kMost, static_cast<int>(100 * done_ / total_));
}

std::string Progress::left() const {
  const double seconds =
      remaining_.left_s(pace_, seconds_since(last_end_), budget_s_ - seconds_since(start_));
  return total_ <= done_ ? "" : fmt::format(", about {} left", duration_text(seconds));
}

void Progress::log() {
  logged_percent_ = std::max(logged_percent_, percent());
  gpuseq::say(terminal_.out(), "{:3} %  {} of {} states after {}{}; {}\n", percent(), done_, total_,
              duration_text(seconds_since(start_)), left(), phase_words(phase_));
  std::fflush(terminal_.out());
}

void Progress::redraw() {
  if (!terminal_.rewrites()) return;
  const std::string failed = failed_ == 0 ? "" : fmt::format(", {} failed", failed_);
  const std::string far = fmt::format("{:3} %  {}/{}{}{}  ", percent(), done_, total_, failed, left());
  const std::string what = fmt::format("{}{}{}", stage_, stage_.empty() || state_.empty() ? "" : " ", state_);
  const std::size_t columns = terminal_.width() - 1;
  const std::string_view shown = cut(far, columns);
  const std::size_t left_columns = columns - shown.size();
  gpuseq::say(terminal_.out(), "\r\033[K{}{}",
              Lines{terminal_.paint(failed_ > 0 ? Ink::red : Ink::bold, shown)},
              Lines{terminal_.paint(Ink::dim, cut(what, left_columns))});
  std::fflush(terminal_.out());
}

void Progress::clear() {
  if (!terminal_.rewrites()) return;
  gpuseq::say(terminal_.out(), "\r\033[K");
  std::fflush(terminal_.out());
}

}  // namespace gpuseq::bench
