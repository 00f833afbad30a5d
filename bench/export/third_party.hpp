#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gpuseq::bench {

/// An external library that exported libraries may need.
struct ThirdParty {
  std::string_view includes;  // beginning of its includes: "fmt/"
  std::string_view header;    // header for CMake's find_path()
  std::string_view library;   // library for CMake's find_library()
  std::string_view name;      // in CMake's variables
  std::string_view package;   // Debian package
};

/// The libraries that includes need, each once. Headers of the C++ and C libraries, of Linux and of the CUDA
/// toolkit need none. @throws ResourceError naming an unknown include: then a row is missing in the table
std::vector<ThirdParty> third_parties_of(const std::set<std::string>& includes);

}  // namespace gpuseq::bench
