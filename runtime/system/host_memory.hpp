#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq {

/// Bytes that this process may still allocate: the host's available memory, within its control groups and its
/// address space limit, minus a margin. Linux overcommits memory, so check this before large allocations
/// instead of waiting for them to fail.
u64 free_host_bytes();

/// Rejects work that exceeds the host's memory, for which the kernel would otherwise end the process.
/// @throws DoesNotFit with `what`
void require_host_memory(u64 bytes, std::string_view what);

/// A field of /proc/meminfo in bytes ("MemAvailable"). `root` is where /proc and /sys are mounted: "/",
/// or a test's folder.
std::optional<std::uint64_t> meminfo_bytes(const std::string& field, const std::filesystem::path& root = "/");

/// A field of /proc/self/status in bytes ("VmSize").
std::optional<std::uint64_t> status_bytes(const std::string& field, const std::filesystem::path& root = "/");

/// Bytes left within the control groups (version 1 or 2) of this process; nullopt without a limit.
std::optional<std::uint64_t> cgroup_free_bytes(const std::filesystem::path& root = "/");

/// Memory for data from a source of unknown size: checks every growth against the remaining memory.
class GrowingMemory {
 public:
  /// @param what  uses the memory: "reading queries.fa"
  explicit GrowingMemory(std::string what) : what_(std::move(what)) {}

  /// Reserves space for `more` values in a vector or string, in steps that double, so that appending value by
  /// value takes linear time. @throws DoesNotFit
  template <typename Container>
  void make_room(Container& values, u64 more) const {
    if (more <= values.capacity() - values.size()) return;
    values.reserve(room(values.size(), values.capacity(), more, sizeof(typename Container::value_type)));
  }
  /// Reserves space for one more value in each.
  template <typename... Containers>
  void make_room_in_each(Containers&... containers) const {
    (make_room(containers, 1), ...);
  }
  /// Appends letters to `to` after make_room(). @throws DoesNotFit
  void append(std::string& to, std::string_view letters) const {
    make_room(to, letters.size());
    to.append(letters);
  }
  /// Counts memory of small allocations, such as names. @throws DoesNotFit
  void take(u64 bytes) {
    constexpr u64 kStepBytes = u64{32} << 20;
    if ((taken_ += bytes) > kStepBytes) require_step();
  }

 private:
  u64 room(u64 size, u64 capacity, u64 more, u64 value_bytes) const;
  void require_step();

  std::string what_;
  u64 taken_ = 0;  // since the last check against the remaining memory
};

}  // namespace gpuseq
