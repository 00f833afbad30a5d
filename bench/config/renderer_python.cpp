#include "bench/config/renderer_python.hpp"

#include <cstdlib>

#include "bench/config/provenance.hpp"

namespace gpuseq::bench {

namespace fs = std::filesystem;

fs::path renderer_python() {
  const char* given = std::getenv("GPUSEQ_PYTHON");
  const fs::path python =
      given != nullptr && *given != '\0' ? given : source_root() / ".venv" / "bin" / "python";
  std::error_code error;
  return fs::exists(python, error) ? python : fs::path();
}

}  // namespace gpuseq::bench
