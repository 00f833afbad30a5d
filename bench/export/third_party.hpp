#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gpuseq::bench {

/// A library of others that exported libraries may need.
struct ThirdParty {
  std::string_view includes;  // what such includes begin with: "fmt/"
  std::string_view header;    // that CMake looks for
  std::string_view library;   // that CMake looks for
  std::string_view name;      // in CMake's variables
  std::string_view package;   // of Debian
};

/// Those that includes need, each once. Headers of the C++ and C libraries, of Linux and of CUDA's toolkit
/// need none. @throws ResourceError naming an include that nobody knows: then a row is missing here
std::vector<ThirdParty> third_parties_of(const std::set<std::string>& includes);

}  // namespace gpuseq::bench
