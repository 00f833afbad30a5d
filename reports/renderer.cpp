#include "reports/renderer.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <span>
#include <sstream>

#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/embedded.hpp"
#include "runtime/io/file_descriptor.hpp"
#include "runtime/system/child_process.hpp"

GPUSEQ_EMBEDDED(render_py)

namespace gpuseq::reports {
namespace {

namespace fs = std::filesystem;

/// A file in memory that the interpreter has, too. It has no name, so a report that is killed leaves nothing.
class SharedFile {
 public:
  explicit SharedFile(std::string_view content = {}) : file_(memfd_create("gpuseq-render", MFD_CLOEXEC)) {
    const int error = file_ ? file_.write_all(content) : errno;
    if (error != 0)
      throw ResourceError(fmt::format("no file in memory can be made: {}", std::strerror(error)));
  }
  int descriptor() const { return file_.get(); }
  fs::path path() const { return fmt::format("/proc/self/fd/{}", file_.get()); }

 private:
  FileDescriptor file_;
};

std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const std::size_t newline = text.find_last_of('\n');
  return newline == std::string::npos ? text : text.substr(newline + 1);
}

/// Runs render.py. @returns what it wrote. @throws ResourceError with the last line of that
std::string render_py(const fs::path& python, std::string_view format, std::span<const SharedFile> files) {
  // Interpreters start in a second and draw some pictures in one; a busy machine is thirty times slower.
  constexpr double kStartS = 120, kFileS = 15;
  if (python.empty()) throw ResourceError("no Python interpreter with vl-convert-python was given");
  const SharedFile script(embedded_render_py()), printed, complaints;
  ChildCommand command{.arguments = {python.string(), script.path().string(), std::string(format)},
                       .out = printed.path(),
                       .err = complaints.path(),
                       .timeout_s = kStartS + kFileS * static_cast<double>(files.size()),
                       .kept = {script.descriptor()}};
  for (const SharedFile& file : files) {
    command.arguments.push_back(file.path().string());
    command.kept.push_back(file.descriptor());
  }
  const auto refuse = [&](const std::string& reason) {
    throw ResourceError(fmt::format("{} cannot render plots: {}", python.string(), reason));
  };
  if (!find_program(python.string())) refuse("it is not there");
  try {
    run_child(command);
  } catch (const ChildFailed& failure) {
    std::string said = last_line(read_file(complaints.path()));
    if (said.empty()) said = last_line(read_file(printed.path()));
    refuse(failure.kind == "timeout" || said.empty() ? failure.what() : said);
  }
  return read_file(printed.path());
}

/// Whether the renderer runs at all, without a file to draw.
bool works(const fs::path& python, std::string_view format) {
  try {
    render_py(python, format, {});
    return true;
  } catch (const ResourceError&) {
    return false;
  }
}

/// Draws some renderings, whose files are a specification, its picture, the next specification, ... A
/// specification that ends the renderer, which is one process for all of them, is found by halves.
void draw_range(const fs::path& python, std::string_view format, std::span<const Rendering> renderings,
                std::span<const SharedFile> files, std::size_t number_of_first, Rendered& result) {
  std::istringstream said;
  try {
    said.str(render_py(python, format, files));
  } catch (const ResourceError& error) {
    if (!works(python, format)) throw;
    if (renderings.size() == 1) {
      result.not_drawn.emplace(number_of_first, error.what());
      return;
    }
    const std::size_t half = renderings.size() / 2;
    draw_range(python, format, renderings.first(half), files.first(2 * half), number_of_first, result);
    draw_range(python, format, renderings.subspan(half), files.subspan(2 * half), number_of_first + half,
               result);
    return;
  }
  for (std::size_t i = 0; i < renderings.size(); ++i)
    write_file_atomically(renderings[i].target, read_file(files[2 * i + 1].path()));
  std::size_t place = 0;
  for (std::string words; said >> place && std::getline(said, words);)
    if (place < renderings.size()) result.remarks.push_back(renderings[place].target.string() + ":" + words);
}

}  // namespace

Maybe<std::string> vega_scripts(const fs::path& python) {
  try {
    const SharedFile out;
    render_py(python, "bundle", {&out, 1});
    return {read_file(out.path()), ""};
  } catch (const std::runtime_error& error) {
    return {std::nullopt, error.what()};
  }
}

Rendered render_files(const fs::path& python, std::string_view format,
                      const std::vector<Rendering>& renderings) {
  constexpr std::size_t kMostAtOnce = 100;  // two open files each
  Rendered result;
  for (std::size_t first = 0; first < renderings.size(); first += kMostAtOnce) {
    const std::span some =
        std::span(renderings).subspan(first, std::min(kMostAtOnce, renderings.size() - first));
    std::vector<SharedFile> files;
    for (const Rendering& one : some) {
      files.emplace_back(one.spec);
      files.emplace_back();
    }
    draw_range(python, format, some, files, first, result);
  }
  return result;
}

}  // namespace gpuseq::reports
