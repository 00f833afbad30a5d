#include "bench/run/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "runtime/io/say.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::bench {
namespace {

std::size_t terminal_width(std::FILE* out) {
  winsize size{};
  return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 100;
}

}  // namespace

std::string duration_text(double seconds) {
  constexpr double kAges = 1e15;  // no number of seconds that a long cannot hold
  const long whole = static_cast<long>(std::clamp(seconds, 0.0, kAges) + 0.5);
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

Progress::Progress(std::FILE* out) : out_(out), terminal_(isatty(fileno(out)) == 1) {}
Progress::~Progress() {
  clear();
}

void Progress::plan(long more) {
  total_ += more;
  redraw();
}

void Progress::begin(const std::string& state) {
  state_ = state;
  stage_.clear();
  redraw();
}

void Progress::stage(const std::string& stage) {
  if (stage == stage_) return;
  stage_ = stage;
  redraw();
}

void Progress::end(const std::string& status, const std::string& text) {
  ++done_;
  if (status == "failed") ++failed_;
  if (!terminal_ || status == "failed")
    say(fmt::format("[{}/{}] {} {}: {}", done_, total_, status, state_, text));
  else
    redraw();
}

void Progress::say(const std::string& line) {
  clear();
  gpuseq::say(out_, "{}\n", line);
  std::fflush(out_);
  redraw();
}

std::string Progress::left() const {
  if (done_ == 0 || total_ <= done_) return "";
  const double elapsed_s = seconds_since(start_);
  return fmt::format(", about {} left", duration_text(elapsed_s / static_cast<double>(done_) *
                                                      static_cast<double>(total_ - done_)));
}

void Progress::redraw() {
  if (!terminal_) return;
  const std::string failed = failed_ == 0 ? "" : fmt::format(", {} failed", failed_);
  std::string line = fmt::format("{}/{}{}{}  {}{}", done_, total_, failed, left(), state_,
                                 stage_.empty() ? "" : fmt::format(" ({})", stage_));
  line.resize(std::min(line.size(), terminal_width(out_) - 1));
  gpuseq::say(out_, "\r\033[K{}", line);
  std::fflush(out_);
}

void Progress::clear() {
  if (!terminal_) return;
  gpuseq::say(out_, "\r\033[K");
  std::fflush(out_);
}

}  // namespace gpuseq::bench
