#include "bench/commands/chart_files.hpp"

#include "bench/base/json_file.hpp"
#include "bench/config/renderer_python.hpp"
#include "reports/renderer.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {

namespace fs = std::filesystem;

void write_chart(const reports::chart::LineChart& chart, const fs::path& folder, const std::string& name) {
  const fs::path file = folder / (name + ".vl.json");
  write_json(file, reports::chart::draw(chart));
  say(stdout, "figure: {}\n", file.string());
  const fs::path python = renderer_python();
  if (python.empty()) return;
  const fs::path picture = folder / (name + ".png");
  const auto spec = reports::chart::draw(chart, reports::chart::page_width());
  const reports::Rendered rendered =
      reports::render_files(python, "png", {{.spec = spec.dump(), .target = picture}});
  for (const auto& [place, reason] : rendered.not_drawn)
    say(stderr, "{} is not drawn: {}\n", picture.string(), reason);
  if (rendered.not_drawn.empty()) say(stdout, "picture: {}\n", picture.string());
}

}  // namespace gpuseq::bench
