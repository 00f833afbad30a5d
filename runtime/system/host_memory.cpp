#include "runtime/system/host_memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <optional>

#include "runtime/contract/errors.hpp"
#include "runtime/system/cpu_facts.hpp"

namespace gpuseq {
namespace {

constexpr u64 kAlwaysFits = u64{64} << 20;  // asking the system takes longer than small work does

/// What the limit on the address space leaves; nullopt without one.
std::optional<u64> address_space_left() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  const u64 taken = status_bytes("VmSize").value_or(0);
  return limit.rlim_cur > taken ? limit.rlim_cur - taken : 0;
}

}  // namespace

u64 free_host_bytes() {
  constexpr u64 kMarginBytes = u64{256} << 20;
  u64 available = meminfo_bytes("MemAvailable").value_or(0);
  available = std::min<u64>(available, cgroup_free_bytes().value_or(available));
  available = std::min(available, address_space_left().value_or(available));
  const u64 margin = available / 20 + kMarginBytes;
  return available > margin ? available - margin : 0;
}

void require_host_memory(u64 bytes, std::string_view what) {
  if (bytes <= kAlwaysFits) return;
  if (const u64 available = free_host_bytes(); bytes > available)
    throw DoesNotFit(
        fmt::format("{} needs {} bytes of host memory: {} bytes are available", what, bytes, available));
}

u64 GrowingMemory::room(u64 size, u64 capacity, u64 more, u64 value_bytes) const {
  const u64 needed = size + more, doubled = std::max(needed, 2 * capacity);
  if (doubled * value_bytes <= kAlwaysFits || doubled * value_bytes <= free_host_bytes()) return doubled;
  const u64 enough = needed + needed / 4;  // the old place is copied into it, so both must fit
  require_host_memory(enough * value_bytes, what_);
  return enough;
}

void GrowingMemory::require_step() {
  require_host_memory(std::max(kAlwaysFits + 1, taken_), what_);
  taken_ = 0;
}

}  // namespace gpuseq
