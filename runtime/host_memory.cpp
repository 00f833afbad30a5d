#include "runtime/host_memory.hpp"

#include <fmt/format.h>

#include "runtime/cpu_device.hpp"
#include "runtime/errors.hpp"

namespace gpuseq {

void require_host_memory(u64 bytes, std::string_view what) {
  constexpr u64 kAlwaysFits = u64{64} << 20;  // asking the system takes longer than small work does
  if (bytes <= kAlwaysFits) return;
  if (const u64 available = CpuDevice().free_bytes(); bytes > available)
    throw DoesNotFit(
        fmt::format("{} needs {} bytes of host memory: {} bytes are available", what, bytes, available));
}

}  // namespace gpuseq
