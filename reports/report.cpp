#include "reports/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "reports/page/page.hpp"
#include "reports/renderer.hpp"
#include "runtime/atomic_file.hpp"
#include "runtime/errors.hpp"

namespace gpuseq::reports {
namespace {

constexpr std::array<std::string_view, 3> kFormats{"svg", "png", "pdf"};

std::vector<const Figure*> chosen_figures(const std::vector<std::string>& names) {
  std::vector<const Figure*> chosen;
  if (names.empty()) {
    for (const Figure& figure : figures()) chosen.push_back(&figure);
    return chosen;
  }
  for (const std::string& name : names) {
    const auto found =
        std::find_if(figures().begin(), figures().end(), [&](const Figure& f) { return f.name == name; });
    if (found == figures().end()) {
      std::vector<std::string> all;
      for (const Figure& figure : figures()) all.push_back(figure.name);
      throw UsageError(fmt::format("no figure '{}'; there are {}", name, fmt::join(all, ", ")));
    }
    chosen.push_back(&*found);
  }
  return chosen;
}

void check_formats(const std::vector<std::string>& formats) {
  for (const std::string& format : formats)
    if (std::find(kFormats.begin(), kFormats.end(), format) == kFormats.end())
      throw UsageError(fmt::format("no format '{}'; allowed: {}", format, fmt::join(kFormats, ", ")));
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw ResourceError(fmt::format("{} cannot be made: {}", folder.string(), error.message()));
}

/// What both functions do: read, draw, write and render the plots.
struct Drawn {
  ReportData data;
  Published published = {};
  std::vector<PageFigure> figures = {};
  std::filesystem::path folder = {};
  ReportResult result = {};
};

void write_plots(Drawn& drawn, const ReportOptions& options) {
  const std::filesystem::path plots = drawn.folder / "plots";
  make_folder(plots);
  std::vector<std::filesystem::path> specs;
  for (const PageFigure& figure : drawn.figures) {
    if (!figure.drawing.spec) {
      drawn.result.not_drawn.emplace_back(figure.figure->name, figure.drawing.reason);
      continue;
    }
    specs.push_back(plots / (figure.figure->file_stem() + ".vl.json"));
    // Text that is no UTF-8 must not cost the plot.
    write_file_atomically(
        specs.back(),
        figure.drawing.spec->dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  }
  drawn.result.files = specs;
  for (const std::string& format : options.formats) {
    std::vector<std::pair<std::filesystem::path, std::filesystem::path>> pairs;
    for (const std::filesystem::path& spec : specs) {
      std::filesystem::path target = spec;  // "fm-index-fig9.vl.json"
      target.replace_extension().replace_extension(format);
      pairs.emplace_back(spec, target);
      drawn.result.files.push_back(std::move(target));
    }
    render_files(options.python, format, pairs);
  }
}

Drawn draw(const ReportOptions& options) {
  check_formats(options.formats);
  const std::vector<const Figure*> chosen = chosen_figures(options.figures);
  Drawn drawn{.data = load_runs(options.run_dirs)};
  if (!options.paper_facts.empty()) drawn.published = load_published(options.paper_facts);
  drawn.folder = options.output_dir.empty() ? options.run_dirs.front() : options.output_dir;
  for (const Figure* figure : chosen)
    drawn.figures.push_back({figure, figure->draw(*figure, drawn.data, drawn.published)});
  write_plots(drawn, options);
  return drawn;
}

}  // namespace

ReportResult render(const ReportOptions& options) {
  return draw(options).result;
}

ReportResult write_report(const ReportOptions& options) {
  Drawn drawn = draw(options);
  const Maybe<std::string> scripts = vega_scripts(options.python);
  drawn.result.no_plots_on_page = scripts.reason;
  const std::filesystem::path page = drawn.folder / "report.html";
  write_file_atomically(page, page_html({drawn.data, drawn.published, drawn.figures, scripts}));
  drawn.result.files.push_back(page);
  return std::move(drawn.result);
}

}  // namespace gpuseq::reports
