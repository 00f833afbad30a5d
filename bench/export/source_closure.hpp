#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "runtime/contract/exported_library.hpp"

namespace gpuseq::bench {

/// All that a library is compiled from, and what it includes of others.
struct SourceClosure {
  std::map<std::string, std::string> files;  // path relative to the root -> text
  std::set<std::string> compiled;            // of these, .cpp and .cu
  std::set<std::string> outside;             // what is included and not ours: "fmt/format.h", "vector"
};

/// Follows the includes of a library's sources; the .cpp beside a header belongs to it.
/// @param root  of our sources
/// @throws UsageError naming a source that is not there
SourceClosure close_sources(const ExportedLibrary& library, const std::filesystem::path& root);

}  // namespace gpuseq::bench
