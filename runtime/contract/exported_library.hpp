#pragma once

#include <map>
#include <string>
#include <vector>

namespace gpuseq {

/// A variant at one point as a library that is built without this program. Paths are relative to the root
/// of the source tree.
struct ExportedLibrary {
  std::string name;    // of the library, its header and its CMake package: "gpuseq_fm_index"
  std::string folder;  // has NAME.h, README.md.in, FORMAT.md and example.c
  /// Sources to compile: these, their includes, and the .cpp of every included header.
  std::vector<std::string> sources;
  std::map<std::string, std::string> written;  // sources generated for the point: path -> text
  bool cuda = false;
  int least_architecture = 75;  // compute capability times 10
};

}  // namespace gpuseq
