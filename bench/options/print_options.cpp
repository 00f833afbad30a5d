#include "bench/options/print_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

/// "column", "page", "auto", or millimetres.
void check_width(const std::string& text) {
  if (text == "auto" || text == "column" || text == "page") return;
  constexpr double kLeast = 60, kMost = 500;  // names and numbers need the least
  double mm = 0;
  const char* const all = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), all, mm);
  if (error != std::errc() || end != all || !(mm >= kLeast && mm <= kMost))
    throw UsageError(
        fmt::format("--width: found \"{}\"; allowed: column, page, auto, or millimetres from {} to {}",
                    text.substr(0, 40), kLeast, kMost));
}

}  // namespace

void PrintOptions::add_to(CLI::App& command) {
  command
      .add_option("--format", formats,
                  "vl.json (always written), svg, pdf, png: in print size; csv, tex: tables of the same data")
      ->delimiter(',');
  command.add_option(
      "--width", width,
      "Of pictures and LaTeX tables: column (80.6 mm), page (164.8 mm), millimetres, auto: page "
      "for several panels");
  command.add_flag(
      "--bare", bare,
      "Pictures without title, notes and provenance, which go to <figure>.caption.tex and .txt; in "
      "several where one would be too high");
  command
      .add_option("--height", height_mm, "Millimetres of a bare picture, at most; default 0.8 of its width")
      ->check(CLI::Range(20, 500));
}

std::vector<std::string> PrintOptions::checked() const {
  const auto is_picture = [](const std::string& format) {
    return format == "svg" || format == "pdf" || format == "png";
  };
  if (bare && std::ranges::none_of(formats, is_picture))
    throw UsageError("--bare is about pictures: give it --format pdf, svg or png");
  if (height_mm > 0 && !bare) throw UsageError("--height is of bare pictures: give it --bare");
  check_width(width);
  std::vector<std::string> words{"--width", width};
  for (const std::string& format : formats) words.insert(words.end(), {"--format", format});
  if (bare) words.emplace_back("--bare");
  if (height_mm > 0) words.insert(words.end(), {"--height", fmt::format("{}", height_mm)});
  return words;
}

}  // namespace gpuseq::bench
