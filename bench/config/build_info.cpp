#include <cstdlib>

#include "bench/config/provenance.hpp"
#include "gpuseq_commit.hpp"  // written by git_commit.cmake at every build

namespace gpuseq::bench {

const BuildInfo& build_info() {
  static const BuildInfo info{.version = GPUSEQ_VERSION,
                              .commit = GPUSEQ_COMMIT,
                              .compiler = GPUSEQ_COMPILER,
                              .flags = GPUSEQ_FLAGS,
                              .build_type = GPUSEQ_BUILD_TYPE};
  return info;
}

std::filesystem::path source_root() {
  const char* root = std::getenv("GPUSEQ_ROOT");
  return root != nullptr && *root != '\0' ? root : GPUSEQ_SOURCE_DIR;
}

}  // namespace gpuseq::bench
