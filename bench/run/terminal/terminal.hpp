#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace gpuseq::bench {

/// --color. automatic: where people look at it, unless NO_COLOR is set (no-color.org) or TERM is "dumb".
enum class ColourChoice { automatic, always, never };

enum class Ink { bold, dim, red, green, yellow };

/// The output device of a stream: a terminal of some width, with or without colour, or anything else.
class Terminal {
 public:
  static constexpr std::size_t kUsualWidth = 100;

  /// @param out  not owned
  Terminal(std::FILE* out, ColourChoice choice);
  /// For texts that are made before their output device is known.
  static Terminal plain(std::size_t width = kUsualWidth);

  std::FILE* out() const { return out_; }
  /// Lines can be written over.
  bool rewrites() const { return rewrites_; }
  bool has_colour() const { return colour_; }
  /// Columns, as they are now; kUsualWidth where they are unknown.
  std::size_t width() const;
  /// The text in that ink where there is colour, else as it is.
  std::string paint(Ink ink, std::string_view text) const;

 private:
  Terminal() = default;

  std::FILE* out_ = nullptr;
  std::size_t width_ = kUsualWidth;  // where the stream does not say
  bool rewrites_ = false, colour_ = false;
};

/// The longest beginning of UTF-8 text that takes no more columns, a character each.
std::string_view cut(std::string_view text, std::size_t columns);

}  // namespace gpuseq::bench
