#include "bench/run/run_report.hpp"

#include "bench/config/renderer_python.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {

void print_page(const reports::ReportResult& result, std::FILE* out) {
  say(out, "report: {}\n", result.files.back().string());
  if (!result.no_plots_on_page.empty()) say(out, "no plots on its page: {}\n", result.no_plots_on_page);
}

void write_report_of(const std::filesystem::path& dir, const std::filesystem::path& published,
                     std::FILE* out) {
  reports::ReportOptions options{.run_dirs = {dir}, .python = renderer_python()};
  if (!published.empty()) options.published = {published};
  print_page(reports::write_report(options), out);
}

}  // namespace gpuseq::bench
