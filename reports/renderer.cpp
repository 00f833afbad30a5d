#include "reports/renderer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <sstream>

#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/embedded.hpp"

extern char** environ;

GPUSEQ_EMBEDDED(render_py)

namespace gpuseq::reports {
namespace {

/// A folder that goes when it is left.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gpuseq-report-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      throw ResourceError(fmt::format("cannot make a folder like {}: {}", pattern, std::strerror(errno)));
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Runs a program, no shell between, with stdout and stderr into `log`; returns its exit status.
/// @throws ResourceError if it cannot be started
int run(const std::vector<std::string>& arguments, const std::filesystem::path& log) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw ResourceError(fmt::format("{} cannot be started: {}", arguments[0], std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw ResourceError(fmt::format("{}: {}", arguments[0], std::strerror(errno)));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string last_line(const std::filesystem::path& log) {
  std::string text = read_file(log);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const std::size_t newline = text.find_last_of('\n');
  return newline == std::string::npos ? text : text.substr(newline + 1);
}

/// Runs render.py. @returns what it wrote. @throws ResourceError with the last line of that
std::string render_py(const std::filesystem::path& python, const std::vector<std::string>& arguments) {
  if (python.empty()) throw ResourceError("no Python interpreter with vl-convert-python was given");
  const TemporaryFolder folder;
  const std::filesystem::path script = folder.path() / "render.py", log = folder.path() / "log";
  write_file_atomically(script, embedded_render_py(), Durability::survives_crash_of_program);
  std::vector<std::string> command{python.string(), script.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  if (const int status = run(command, log); status != 0)
    throw ResourceError(fmt::format("{} cannot render plots: {}", python.string(),
                                    status == 127 ? "it is not there" : last_line(log)));
  return read_file(log);
}

std::filesystem::path spec_of(const TemporaryFolder& folder, std::size_t i) {
  return folder.path() / fmt::format("{}.vl.json", i);
}

std::filesystem::path picture_of(const TemporaryFolder& folder, std::size_t i, std::string_view format) {
  return folder.path() / fmt::format("{}.{}", i, format);
}

struct Drawer {
  const std::filesystem::path& python;
  std::string_view format;
  const TemporaryFolder& folder;
};

/// Draws some of the files. A specification that ends the renderer, which is one process for all of them, is
/// found by halves. @param not_drawn  receives its number and the reason. @returns what the renderer wrote
std::string draw_range(const Drawer& with, std::size_t begin, std::size_t end,
                       std::map<std::size_t, std::string>& not_drawn) {
  std::vector<std::string> arguments{std::string(with.format)};
  for (std::size_t i = begin; i < end; ++i) {
    arguments.push_back(spec_of(with.folder, i).string());
    arguments.push_back(picture_of(with.folder, i, with.format).string());
  }
  try {
    return render_py(with.python, arguments);
  } catch (const ResourceError& error) {
    render_py(with.python,
              {std::string(with.format)});  // no file: throws if the renderer itself does not work
    if (end - begin == 1) {
      not_drawn.emplace(begin, error.what());
      return "";
    }
  }
  const std::size_t middle = begin + (end - begin) / 2;
  const std::string first = draw_range(with, begin, middle, not_drawn);
  return first + draw_range(with, middle, end, not_drawn);
}

}  // namespace

Maybe<std::string> vega_scripts(const std::filesystem::path& python) {
  try {
    const TemporaryFolder folder;
    const std::filesystem::path out = folder.path() / "bundle.js";
    render_py(python, {"bundle", out.string()});
    return {read_file(out), ""};
  } catch (const std::runtime_error& error) {
    return {std::nullopt, error.what()};
  }
}

Rendered render_files(const std::filesystem::path& python, std::string_view format,
                      const std::vector<Rendering>& renderings) {
  Rendered result;
  if (renderings.empty()) return result;
  const TemporaryFolder folder;
  for (std::size_t i = 0; i < renderings.size(); ++i)
    write_file_atomically(spec_of(folder, i), renderings[i].spec, Durability::survives_crash_of_program);
  const std::string said = draw_range({python, format, folder}, 0, renderings.size(), result.not_drawn);
  for (std::size_t i = 0; i < renderings.size(); ++i)
    if (!result.not_drawn.contains(i))
      write_file_atomically(renderings[i].target, read_file(picture_of(folder, i, format)));
  std::istringstream words(said);
  std::size_t place = 0;
  for (std::string remark; words >> place && std::getline(words, remark);)
    if (place < renderings.size()) result.remarks.push_back(renderings[place].target.string() + ":" + remark);
  return result;
}

}  // namespace gpuseq::reports
