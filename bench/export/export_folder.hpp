#pragma once

#include <filesystem>
#include <string>

#include "bench/export/source_closure.hpp"

namespace gpuseq::bench {

/// What a library's folder says of where its point comes from.
struct ExportOrigin {
  std::string point;  // "prefetch k=1,d=64"
  std::string rate;   // a paragraph: what was measured, or that nothing was
  std::string tuned;  // tuned.json; empty: none
};

/// Where our sources are: in the tree that this program was built from, or installed beside it.
/// @throws ResourceError where neither has them
std::filesystem::path exported_source_root();

/// Writes a folder that builds a library.
/// @param folder  is made; not there yet, or empty
/// @throws UsageError if it is not empty; ResourceError if it cannot be written
void write_export(const std::filesystem::path& folder, const ExportedLibrary& library,
                  const ExportOrigin& origin);

}  // namespace gpuseq::bench
