#include "runtime/system/host_memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <optional>

#include "runtime/contract/errors.hpp"
#include "runtime/system/proc_files.hpp"

namespace gpuseq {

namespace fs = std::filesystem;

namespace {

constexpr u64 kAlwaysFits = u64{64} << 20;  // querying the system takes longer than small work

/// Limit minus use; file pages that can be dropped do not count as used.
std::optional<std::uint64_t> free_in(const fs::path& folder, const char* limit_file, const char* usage_file,
                                     const char* droppable) {
  const auto limit = proc_number(read_line(folder / limit_file));
  const auto usage = proc_number(read_line(folder / usage_file));
  constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 60;  // version 1 writes a huge number
                                                                // if there is no limit
  if (!limit || !usage || *limit >= kUnlimited) return std::nullopt;
  const std::uint64_t dropped =
      std::min(proc_number(proc_field(folder / "memory.stat", droppable, ' ')).value_or(0), *usage);
  const std::uint64_t used = *usage - dropped;
  return *limit > used ? *limit - used : 0;
}

/// The remaining address space within the limit; nullopt without one.
std::optional<u64> address_space_left() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  const u64 taken = status_bytes("VmSize").value_or(0);
  return limit.rlim_cur > taken ? limit.rlim_cur - taken : 0;
}

}  // namespace

std::optional<std::uint64_t> meminfo_bytes(const std::string& name, const fs::path& root) {
  const auto kib = proc_number(proc_field(root / "proc/meminfo", name, ':'));
  if (!kib) return std::nullopt;
  return *kib * 1024;
}

std::optional<std::uint64_t> status_bytes(const std::string& name, const fs::path& root) {
  const auto kib = proc_number(proc_field(root / "proc/self/status", name, ':'));
  if (!kib) return std::nullopt;
  return *kib * 1024;
}

std::optional<std::uint64_t> cgroup_free_bytes(const fs::path& root) {
  std::optional<std::uint64_t> least;
  const auto consider = [&least](const std::optional<std::uint64_t>& bytes) {
    if (bytes && (!least || *bytes < *least)) least = bytes;
  };
  for (const fs::path& folder : cgroup_folders(root, ""))
    consider(free_in(folder, "memory.max", "memory.current", "inactive_file"));
  for (const fs::path& folder : cgroup_folders(root, "memory"))
    consider(free_in(folder, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"));
  return least;
}

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
  const u64 enough = needed + needed / 4;  // the old memory is copied into it, so that both must fit
  require_host_memory(enough * value_bytes, what_);
  return enough;
}

void GrowingMemory::require_step() {
  require_host_memory(std::max(kAlwaysFits + 1, taken_), what_);
  taken_ = 0;
}

}  // namespace gpuseq
