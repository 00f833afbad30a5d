#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "runtime/contract/exported_library.hpp"

namespace gpuseq::bench {

/// All sources of a library, and its external includes.
struct SourceClosure {
  std::map<std::string, std::string> files;  // path relative to the root -> text
  std::set<std::string> compiled;            // of these, .cpp and .cu
  std::set<std::string> outside;             // external includes: "fmt/format.h", "vector"
};

/// Follows the includes of a library's sources. The .cpp next to a header belongs to it.
/// @param root  of our sources
/// @throws UsageError naming a missing source
SourceClosure close_sources(const ExportedLibrary& library, const std::filesystem::path& root);

}  // namespace gpuseq::bench
