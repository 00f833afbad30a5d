#include "bench/options/print_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "reports/charts/chart_style.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {
namespace {

/// "column", "page", "auto", or millimetres.
double width_mm_of(const std::string& text) {
  if (text == "auto") return 0;
  if (text == "column") return reports::chart::kColumnMillimetres;
  if (text == "page") return reports::chart::kPageMillimetres;
  constexpr double kLeast = 60, kMost = 500;  // names and numbers need the least
  double mm = 0;
  const char* const all = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), all, mm);
  if (error != std::errc() || end != all || !(mm >= kLeast && mm <= kMost))
    throw UsageError(
        fmt::format("--width: found \"{}\"; allowed: column, page, auto, or millimetres from {} to {}",
                    text.substr(0, 40), kLeast, kMost));
  return mm;
}

}  // namespace

void PrintOptions::add_to(CLI::App& command) {
  command
      .add_option("--format", formats,
                  "vl.json (always written), svg, pdf, png: in print size; csv, tex: tables of the same data")
      ->delimiter(',');
  command.add_option("--width", width,
                     "Of pictures and LaTeX tables: column (88 mm), page (180 mm), millimetres, auto: page "
                     "for several panels");
  command.add_flag(
      "--bare", bare,
      "Pictures without title, notes and provenance, which go to <figure>.caption.tex and .txt; in "
      "several where one would be too high");
  command
      .add_option("--height", height_mm, "Millimetres of a bare picture, at most; default 0.8 of its width")
      ->check(CLI::Range(20, 500));
}

reports::Print PrintOptions::checked() const {
  const auto is_picture = [](const std::string& format) {
    return format == "svg" || format == "pdf" || format == "png";
  };
  if (bare && std::ranges::none_of(formats, is_picture))
    throw UsageError("--bare is about pictures: give it --format pdf, svg or png");
  if (height_mm > 0 && !bare) throw UsageError("--height is of bare pictures: give it --bare");
  return {.width_mm = width_mm_of(width), .bare = bare, .height_mm = height_mm};
}

void print_result(const reports::ReportResult& result) {
  for (const std::filesystem::path& file : result.files) say("{}\n", file.string());
  for (const std::string& remark : result.remarks) say(stderr, "{}\n", remark);
  for (const auto& [figure, reason] : result.not_drawn) say(stderr, "{} is not drawn: {}\n", figure, reason);
}

}  // namespace gpuseq::bench
