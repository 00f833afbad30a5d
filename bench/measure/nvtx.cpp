#include "bench/measure/nvtx.hpp"

#if defined(GPUSEQ_HAVE_CUDA) && __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

namespace gpuseq::bench {

NvtxRange::NvtxRange(const std::string& name) {
  nvtxRangePushA(name.c_str());
}
NvtxRange::~NvtxRange() {
  nvtxRangePop();
}

}  // namespace gpuseq::bench
#else
namespace gpuseq::bench {

NvtxRange::NvtxRange(const std::string&) {}
NvtxRange::~NvtxRange() = default;

}  // namespace gpuseq::bench
#endif
