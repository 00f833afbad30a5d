#include "bench/export/export_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/config/provenance.hpp"
#include "bench/export/third_party.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/folders/staged_folder.hpp"
#include "runtime/io/atomic_file.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

using Values = std::map<std::string, std::string>;

/// A template with the @KEY@s that have a value replaced.
std::string filled(std::string text, const Values& values) {
  for (const auto& [key, value] : values)
    for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + value.size()))
      text.replace(at, key.size(), value);
  return text;
}

/// The CMake lines that find the external dependencies.
std::string find_lines(const std::vector<ThirdParty>& parties) {
  std::string lines;
  for (const ThirdParty& one : parties) {
    lines += fmt::format("find_path({}_INCLUDE {} REQUIRED)\n", one.name, one.header);
    lines += fmt::format("find_library({}_LIBRARY {} REQUIRED)\n", one.name, one.library);
  }
  return lines;
}

std::string use_lines(const std::vector<ThirdParty>& parties, const std::string& name) {
  std::string lines;
  for (const ThirdParty& one : parties) {
    lines += fmt::format("target_include_directories({} SYSTEM PRIVATE ${{{}_INCLUDE}})\n", name, one.name);
    lines += fmt::format("target_link_libraries({} PRIVATE ${{{}_LIBRARY}})\n", name, one.name);
  }
  return lines;
}

/// Text on the build dependencies.
std::string needs_text(const std::vector<ThirdParty>& parties, const ExportedLibrary& library) {
  std::vector<std::string> packages;
  for (const ThirdParty& one : parties)
    if (packages.empty() || packages.back() != one.package) packages.emplace_back(one.package);
  return fmt::format(
      "Linux, CMake 3.18, a compiler for C++20 (GCC 12 or clang 14 on){}, and of Debian's packages: {}.",
      library.cuda ? fmt::format(", CUDA 12 or later (a GPU of compute capability {}.{} on; "
                                 "CMAKE_CUDA_ARCHITECTURES names others than 80 and 90)",
                                 library.least_architecture / 10, library.least_architecture % 10)
                   : "",
      fmt::join(packages, ", "));
}

std::string cuda_lines(const ExportedLibrary& library) {
  return library.cuda ? fmt::format(
                            "find_package(CUDAToolkit REQUIRED)\n"
                            "target_link_libraries({} PRIVATE CUDA::cudart_static)\n",
                            library.name)
                      : "";
}

Values values_of(const ExportedLibrary& library, const ExportOrigin& origin, const SourceClosure& closure) {
  const std::vector<ThirdParty> parties = third_parties_of(closure.outside);
  std::string sources, written;
  for (const std::string& source : closure.compiled) sources += fmt::format("  src/{}\n", source);
  for (const auto& [path, text] : library.written)
    written += fmt::format("{}`{}`", written.empty() ? "" : ", ", fs::path(path).filename().string());
  if (!sources.empty()) sources.pop_back();
  return {{"@NAME@", library.name},
          {"@FOLDER@", library.folder},
          {"@POINT@", origin.point},
          {"@RATE@", origin.rate},
          {"@VERSION@", build_info().version},
          {"@SOURCES@", sources},
          {"@WRITTEN@", written},
          {"@FIND@", find_lines(parties)},
          {"@USE@", use_lines(parties, library.name) + cuda_lines(library)},
          {"@NEEDS@", needs_text(parties, library)},
          {"@ENOUGH@", library.cuda ? "a GPU wants a million and more" : "some thousand for each thread"},
          {"@CUDA_STANDARD@", library.cuda ? "if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)\n"
                                             "  # CMake 3.25 does not know it of nvcc 13.\n"
                                             "  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)\n"
                                             "endif()\n"
                                             "set(CMAKE_CUDA_STANDARD 20)\n"
                                             "set(CMAKE_CUDA_EXTENSIONS OFF)\n"
                                           : ""},
          {"@CUDA_LANGUAGE@", library.cuda ? " CUDA" : ""},
          {"@FIND_CUDA@", library.cuda ? "find_dependency(CUDAToolkit)\n" : ""},
          {"@ARCHITECTURES@", library.cuda ? "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n"
                                             "  set(CMAKE_CUDA_ARCHITECTURES 80 90)\n"
                                             "endif()\n"
                                           : ""}};
}

/// Ignores leftovers of a killed export.
bool has_nothing(const fs::path& folder) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    if (!ScratchFolder::is_hidden_one(entry->path())) return false;
  return !error;
}

void require_empty(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && (!fs::is_directory(folder, error) || !has_nothing(folder)))
    throw UsageError(fmt::format("--output {}: is there already; allowed: a new folder, or an empty one",
                                 folder.string()));
}

void write(const fs::path& path, std::string_view text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) throw ResourceError(fmt::format("{}: {}", path.parent_path().string(), error.message()));
  write_file_atomically(path, text, Durability::survives_crash_of_program);
}

}  // namespace

fs::path exported_source_root() {
  for (const fs::path& root : {source_root(), source_root() / "sources"}) {
    std::error_code error;
    if (fs::exists(root / "kernels/common/library/CMakeLists.txt.in", error)) return root;
  }
  throw ResourceError(
      fmt::format("{}: has no sources to export; set GPUSEQ_ROOT to a checkout", source_root().string()));
}

void write_export(const fs::path& folder, const ExportedLibrary& library, const ExportOrigin& origin) {
  require_empty(folder);
  const fs::path root = exported_source_root();
  SourceClosure closure = close_sources(library, root);
  const Values values = values_of(library, origin, closure);
  const std::string header = fmt::format("{}/{}.h", library.folder, library.name);
  closure.files.emplace(header, read_file(root / header));
  StagedFolder staged(folder);
  for (const auto& [path, text] : closure.files) write(staged.path() / "src" / path, text);
  const auto fill = [&](const fs::path& from, const fs::path& to) {
    write(staged.path() / to, filled(read_file(root / from), values));
  };
  const fs::path common = "kernels/common/library", own = library.folder;
  fill(common / "CMakeLists.txt.in", "CMakeLists.txt");
  fill(common / "Config.cmake.in", fs::path("cmake") / (library.name + "Config.cmake"));
  fill(own / "README.md.in", "README.md");
  fill(own / "FORMAT.md", "FORMAT.md");
  fill(own / "example.c", "example.c");
  fill("LICENSE", "LICENSE");
  if (!origin.tuned.empty()) write(staged.path() / "tuned.json", origin.tuned);
  staged.publish();
}

}  // namespace gpuseq::bench
