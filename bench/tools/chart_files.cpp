#include "bench/tools/chart_files.hpp"

#include <fmt/format.h>

#include "bench/tools/package.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/say.hpp"

namespace gpuseq::bench {

namespace fs = std::filesystem;

void draw_chart(const chart::LineChart& chart, const std::vector<fs::path>& files) {
  std::vector<std::string> words{"chart"};
  for (const fs::path& file : files) words.push_back(file.string());
  const std::string text = to_json(chart).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (const int code = call_package(words, {.input = text}); code != 0)
    throw ResourceError(
        fmt::format("{} is not drawn: the package gpuseq ended with {}", files.front().string(), code));
}

void write_chart(const chart::LineChart& chart, const fs::path& folder, const std::string& name) {
  const fs::path file = folder / (name + ".vl.json"), picture = folder / (name + ".png");
  try {
    draw_chart(chart, {file, picture});
    say(stdout, "figure: {}\npicture: {}\n", file.string(), picture.string());
  } catch (const ResourceError& error) {
    say(stderr, "no figure: {}\n", error.what());
  }
}

}  // namespace gpuseq::bench
