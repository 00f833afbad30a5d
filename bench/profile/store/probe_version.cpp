#include "bench/profile/store/probe_version.hpp"

#include "gpuseq_probe_version.hpp"

namespace gpuseq::bench {

std::string probe_version() {
  return GPUSEQ_PROBE_VERSION;
}

}  // namespace gpuseq::bench
