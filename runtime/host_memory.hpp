#pragma once

#include <string_view>

#include "runtime/host_device.hpp"

namespace gpuseq {

/// Refuses work that the host's memory cannot hold, before the kernel would have to end the process for it.
/// @throws DoesNotFit naming `what`
void require_host_memory(u64 bytes, std::string_view what);

}  // namespace gpuseq
