#include <cstdlib>

#include "bench/config/provenance.hpp"
#include "gpuseq_commit.hpp"  // written by git_commit.cmake at every build
#include "runtime/io/program_name.hpp"

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
  if (root != nullptr && *root != '\0') return root;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto installed = program.parent_path().parent_path() / "share" / kProgramName;
  if (!error && program.parent_path().filename() == "bin" &&
      std::filesystem::exists(installed / "configs", error))
    return installed;
  return GPUSEQ_SOURCE_DIR;
}

}  // namespace gpuseq::bench
