#include "bench/export/source_closure.hpp"

#include <fmt/format.h>

#include <regex>
#include <vector>

#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

/// The includes of a text, in order.
std::vector<std::string> includes_of(const std::string& text) {
  static const std::regex include("(?:^|\n)[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"]");
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), include), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

bool is_compiled(const fs::path& path) {
  return path.extension() == ".cpp" || path.extension() == ".cu";
}

class Closing {
 public:
  Closing(const ExportedLibrary& library, const fs::path& root) : library_(library), root_(root) {}

  void add(const std::string& path) {
    if (closure_.files.contains(path)) return;
    const std::string& text = closure_.files[path] = text_of(path);
    if (is_compiled(path)) closure_.compiled.insert(path);
    for (const std::string& included : includes_of(text)) {
      if (exists(included))
        add(included);
      else
        closure_.outside.insert(included);
    }
    const fs::path own = fs::path(path).replace_extension(".cpp");
    if (fs::path(path).extension() == ".hpp" && exists(own.string())) add(own.string());
  }

  SourceClosure take() { return std::move(closure_); }

 private:
  bool exists(const std::string& path) const {
    std::error_code error;
    return library_.written.contains(path) || fs::is_regular_file(root_ / path, error);
  }
  std::string text_of(const std::string& path) const {
    const auto written = library_.written.find(path);
    return written != library_.written.end() ? written->second : read_file(root_ / path);
  }

  const ExportedLibrary& library_;
  const fs::path& root_;
  SourceClosure closure_;
};

}  // namespace

SourceClosure close_sources(const ExportedLibrary& library, const fs::path& root) {
  Closing closing(library, root);
  for (const std::string& source : library.sources) closing.add(source);
  return closing.take();
}

}  // namespace gpuseq::bench
