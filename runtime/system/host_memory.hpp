#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq {

/// Bytes that this process may still take: what the host has available, its control groups and its limit on
/// the address space grant, less a margin. Linux promises more memory than it has, so whoever takes much asks
/// this first, and does not wait for the allocation to fail.
u64 free_host_bytes();

/// Refuses work that the host's memory cannot hold, before the kernel would have to end the process for it.
/// @throws DoesNotFit naming `what`
void require_host_memory(u64 bytes, std::string_view what);

/// A field of /proc/meminfo in bytes ("MemAvailable"). `root` is where /proc and /sys are mounted: "/", or a
/// folder that a test has filled.
std::optional<std::uint64_t> meminfo_bytes(const std::string& field, const std::filesystem::path& root = "/");

/// A field of /proc/self/status in bytes ("VmSize").
std::optional<std::uint64_t> status_bytes(const std::string& field, const std::filesystem::path& root = "/");

/// Bytes that the control groups (version 1 or 2) of this process still grant; nullopt when they set no
/// limit.
std::optional<std::uint64_t> cgroup_free_bytes(const std::filesystem::path& root = "/");

/// What is read from a source that does not say how much it has, and is kept: every growth is held to the
/// memory that is left.
class GrowingMemory {
 public:
  /// @param what  takes the memory: "reading queries.fa"
  explicit GrowingMemory(std::string what) : what_(std::move(what)) {}

  /// Makes room for `more` values behind those of a vector or string, in steps that double, so that filling
  /// it value by value takes time in proportion to them. @throws DoesNotFit
  template <typename Container>
  void make_room(Container& values, u64 more) const {
    if (more <= values.capacity() - values.size()) return;
    values.reserve(room(values.size(), values.capacity(), more, sizeof(typename Container::value_type)));
  }
  /// Makes room for one more value in each.
  template <typename... Containers>
  void make_room_in_each(Containers&... containers) const {
    (make_room(containers, 1), ...);
  }
  /// make_room() and the letters behind those of `to`. @throws DoesNotFit
  void append(std::string& to, std::string_view letters) const {
    make_room(to, letters.size());
    to.append(letters);
  }
  /// Counts memory that is taken in small pieces, as for names. @throws DoesNotFit
  void take(u64 bytes) {
    constexpr u64 kStepBytes = u64{32} << 20;
    if ((taken_ += bytes) > kStepBytes) require_step();
  }

 private:
  u64 room(u64 size, u64 capacity, u64 more, u64 value_bytes) const;
  void require_step();

  std::string what_;
  u64 taken_ = 0;  // since it was last held to what is left
};

}  // namespace gpuseq
