#include <cstdlib>

#include "bench/config/build_texts.hpp"
#include "bench/config/provenance.hpp"
#include "runtime/io/program_name.hpp"

namespace gpuseq::bench {

const BuildInfo& build_info() {
  static const BuildInfo info{.version = kBuildTexts.version,
                              .commit = kBuildTexts.commit,
                              .compiler = kBuildTexts.compiler,
                              .flags = kBuildTexts.flags,
                              .build_type = kBuildTexts.build_type};
  return info;
}

std::filesystem::path source_root() {
  const char* root = std::getenv("GPUSEQ_ROOT");
  if (root != nullptr && *root != '\0') return root;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  auto installed = program.parent_path().parent_path() / "share" / kProgramName;
  if (!error && program.parent_path().filename() == "bin" &&
      std::filesystem::exists(installed / "configs", error))
    return installed;
  return kBuildTexts.source_dir;
}

}  // namespace gpuseq::bench
