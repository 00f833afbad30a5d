#pragma once

#include <string>

namespace gpuseq::bench {

/// A range of NVTX while it lives, which Nsight Systems and Nsight Compute show. Without a tool it costs a
/// call that does nothing; without NVTX's headers in the build there are no ranges.
class NvtxRange {
 public:
  explicit NvtxRange(const std::string& name);
  ~NvtxRange();
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;
};

}  // namespace gpuseq::bench
