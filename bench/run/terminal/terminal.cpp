#include "bench/run/terminal/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace gpuseq::bench {
namespace {

constexpr std::size_t kLeastWidth = 40;  // of a number that is taken for a terminal's answer

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// As in ECMA-48, Select Graphic Rendition.
int code_of(Ink ink) {
  switch (ink) {
    case Ink::bold:
      return 1;
    case Ink::dim:
      return 2;
    case Ink::red:
      return 31;
    case Ink::green:
      return 32;
    case Ink::yellow:
      return 33;
  }
  return 0;
}

}  // namespace

Terminal::Terminal(std::FILE* out, ColourChoice choice) : out_(out) {
  const bool dumb = variable("TERM") == "dumb";
  rewrites_ = isatty(fileno(out)) == 1 && !dumb;
  colour_ = choice == ColourChoice::always ||
            (choice == ColourChoice::automatic && rewrites_ && variable("NO_COLOR").empty());
}

Terminal Terminal::plain(std::size_t width) {
  Terminal terminal;
  terminal.width_ = width;
  return terminal;
}

std::size_t Terminal::width() const {
  winsize size{};
  if (out_ == nullptr || ioctl(fileno(out_), TIOCGWINSZ, &size) != 0 || size.ws_col < kLeastWidth)
    return width_;
  return size.ws_col;
}

std::string Terminal::paint(Ink ink, std::string_view text) const {
  return colour_ ? fmt::format("\033[{}m{}\033[0m", code_of(ink), text) : std::string(text);
}

std::string_view cut(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xc0) != 0x80;
    if (begins && columns-- == 0) break;
  }
  return text.substr(0, end);
}

}  // namespace gpuseq::bench
