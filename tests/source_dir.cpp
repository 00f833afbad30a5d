#include "tests/source_dir.hpp"

#include <cstdlib>

namespace gpuseq {

std::filesystem::path source_dir() {
  const char* given = std::getenv("GPUSEQ_ROOT");
  return given == nullptr ? GPUSEQ_SOURCE_DIR : given;
}

}  // namespace gpuseq
