#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuseq {

enum class DeviceKind { cpu, cuda };

/// The kind of "cpu" or "cuda:0".
constexpr DeviceKind kind_of_device(std::string_view id) {
  return id == "cpu" ? DeviceKind::cpu : DeviceKind::cuda;
}

/// A value, or the reason why there is none. JSON: the value, or null with "<name>_reason".
template <typename T>
struct Maybe {
  std::optional<T> value;
  std::string reason;  // empty when there is a value
};

/// A device that work can be timed on. Not thread-safe; one state at a time.
class Device {
 public:
  virtual ~Device() = default;
  virtual DeviceKind kind() const = 0;
  /// "cpu", "cuda:0"
  virtual std::string id() const = 0;
  /// Name, UUID, memory, caches, clocks, driver, toolkit, ECC, MIG ... for a record's provenance and the
  /// report's machine profile. Unavailable values are null with "<key>_reason".
  virtual nlohmann::json describe() const = 0;
  /// Bytes that a state may still allocate, without the margin.
  virtual std::size_t free_bytes() const = 0;
  /// Makes free_bytes() report the free memory of a device with this much memory.
  virtual void limit_memory(std::size_t bytes) = 0;

  /// Runs `work` once between two time stamps of the device's own clock and returns seconds: CUDA events
  /// around the work enqueued on the device's stream; the steady clock on the CPU.
  /// @throws CudaError if the work failed
  virtual double time_s(const std::function<void()>& work) = 0;
  /// Keeps the device busy for this time after the enqueued work. CPU: returns afterwards; CUDA: enqueues a
  /// kernel that waits. For tests that need a slower launch.
  virtual void keep_busy(double seconds) = 0;
  /// Makes the caches cold (reads and writes a buffer larger than the last level).
  virtual void flush_caches() = 0;
  /// Waits until the device is idle. @throws CudaError on an asynchronous error
  virtual void synchronize() = 0;

  /// Current and highest permitted clock of the multiprocessors, in MHz.
  virtual Maybe<double> clock_mhz() = 0;
  virtual Maybe<double> max_clock_mhz() = 0;
  /// Energy used since an arbitrary start, in joules.
  virtual Maybe<double> energy_j() = 0;
  /// Current power draw in watts.
  virtual Maybe<double> power_w() = 0;
  /// Runs `work` as often as the counters need (user replay) and returns metric name -> value. Never timed.
  virtual Maybe<std::map<std::string, double>> count(const std::vector<std::string>& metrics,
                                                     const std::function<void()>& work) = 0;
  /// Metrics to count for every kernel on this device; empty on the CPU.
  virtual std::vector<std::string> default_metrics() const = 0;
};

/// Ids of this machine's devices, "cpu" first; `reason_no_cuda` is set if there is no CUDA device ("built
/// without CUDA", "libcuda.so.1 not found", "no CUDA device").
struct DeviceList {
  std::vector<std::string> ids;
  std::string reason_no_cuda;
};
DeviceList list_devices();

/// Opens "cpu" or "cuda:N". @throws UsageError with the existing devices
std::unique_ptr<Device> open_device(std::string_view id);

/// Resolves "cpu", "cuda:N", "all", "auto" (every CUDA device and the CPU) or a comma-separated list.
/// @throws UsageError with the existing devices and the reason why there is no CUDA device
std::vector<std::string> resolve_devices(std::string_view selection);

}  // namespace gpuseq
