#pragma once

#include <filesystem>
#include <string>

#include "bench/export/source_closure.hpp"

namespace gpuseq::bench {

/// The origin of a library's point, for its folder.
struct ExportOrigin {
  std::string point;  // "prefetch k=1,d=64"
  std::string rate;   // a paragraph with the measured rate, or that there is none
  std::string tuned;  // tuned.json; empty: no file
};

/// The folder of our sources: the source tree of this program, or the sources installed with it.
/// @throws ResourceError if neither exists
std::filesystem::path exported_source_root();

/// Writes a folder that builds a library.
/// @param folder  is created; must be empty if it exists
/// @throws UsageError if it is not empty; ResourceError if it cannot be written
void write_export(const std::filesystem::path& folder, const ExportedLibrary& library,
                  const ExportOrigin& origin);

}  // namespace gpuseq::bench
